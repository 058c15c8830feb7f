/** Machines on paper for tests: a host of which each test changes one answer. */

import { Fault } from '../src/index.js';

export const LINUX = { app: { linux: { presence: 'executable', location: '/opt/acme/acme' } }, requires: { app: true } };
export const RUNNING = {
  app: {
    linux: {
      presence: 'executable',
      location: '/opt/acme/acme',
      liveness: { kind: 'server_json', path: '/run/acme.json' },
    },
  },
  requires: { app: true },
};
export const WINDOWS = {
  app: {
    win32: {
      presence: 'executable',
      location: 'C:\\Acme\\acme.exe',
      version: { kind: 'uninstall_registry', display_name_prefix: 'Acme' },
    },
  },
  requires: { app: true, min_version: '2.0' },
};
export const TOKEN = 's3cr3t-t0ken';

const absent = () => {
  throw new Fault('absent');
};

/** A Linux machine with the application installed and running. */
export function paper(answers = {}) {
  return {
    os: () => 'linux',
    variable: absent,
    stat: () => ({ kind: 'file', executable: true }),
    list: () => [],
    plist: absent,
    pe: absent,
    subkeys: absent,
    runtimeFile: () => {
      const bytes = Buffer.from(JSON.stringify({ pid: 42, http: 'http://127.0.0.1:5000/x', token: TOKEN }));
      return { size: bytes.length, bytes, modified: 1000, owner: 'this-user', group: 'this-user', mode: 0o600 };
    },
    process: () => ({ state: 'running', started: 500 }),
    session: () => ({ tag: 'linux', val: { auditSession: 1, runtimeFolderReadable: true } }),
    ...answers,
  };
}
