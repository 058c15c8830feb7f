/** The real host on Windows. `.ci/hosts` runs this file with Node for Windows under Wine, where that is to be had. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';

import { Fault, Gate, Machine, Package } from '../src/index.js';

const UNINSTALL = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall';

suite('Windows itself', { skip: process.platform !== 'win32' && 'this is of Windows' }, () => {
  const machine = new Machine();
  const name = `appdecl-test-${process.pid}`;
  const key = `HKCU\\${UNINSTALL}\\${name}`;
  const reg = (...words) => execFileSync(`${process.env.SystemRoot}\\System32\\reg.exe`, words, { stdio: 'ignore' });
  const assertFault = (code, ask) => assert.throws(ask, (error) => error instanceof Fault && error.code === code);
  let folder;

  before(() => {
    folder = fs.realpathSync.native(fs.mkdtempSync(join(tmpdir(), 'appdecl-')));
    fs.writeFileSync(join(folder, 'Acme.exe'), 'MZ and no more');
    reg('add', key, '/v', 'DisplayName', '/d', `${name} 2.3`, '/f');
    reg('add', key, '/v', 'DisplayVersion', '/d', '2.3.1', '/f');
    reg('add', key, '/v', 'InstallLocation', '/t', 'REG_EXPAND_SZ', '/d', folder, '/f');
    reg('add', key, '/v', 'SystemComponent', '/t', 'REG_DWORD', '/d', '0', '/f');
  });
  after(() => {
    reg('delete', key, '/f');
    fs.rmSync(folder, { recursive: true });
  });

  test('an entry of the registry is given as it stands', () => {
    const asked = ['DisplayName', 'displayversion', 'InstallLocation', 'SystemComponent', 'Gone'];
    const found = machine.subkeys('current-user', 'bits64', UNINSTALL, asked).filter((subkey) => subkey.name === name);
    assert.deepEqual(found.map(({ values }) => values), [[
      { tag: 'text', val: `${name} 2.3` }, { tag: 'text', val: '2.3.1' }, { tag: 'expandable-text', val: folder },
      { tag: 'number', val: 0n }, { tag: 'missing' },
    ]]);
  });

  test('files and folders are told apart, and special names are none', () => {
    assert.deepEqual(machine.stat(join(folder, 'acme.EXE')), { kind: 'file', executable: false });
    assert.deepEqual(machine.stat(folder), { kind: 'folder', executable: false });
    assert.deepEqual(machine.list(folder, 'ac'), ['Acme.exe']);
    for (const gone of ['gone', 'gone\\below', 'NUL']) assertFault('absent', () => machine.stat(join(folder, gone)));
    for (const path of ['\\\\server\\share\\x', 'C:x', `${folder}\\Acme.exe:stream`]) assertFault('refused', () => machine.stat(path));
    assert.equal(Buffer.from(machine.pe(join(folder, 'Acme.exe'), 3n, 3)).toString(), 'and');
  });

  test('this process runs, and numbers of none are absent', () => {
    assert.deepEqual(machine.process(process.pid), { state: 'running' });
    assert.deepEqual([machine.process(0x7fff_fffc), machine.process(process.pid + 1)], [{ state: 'absent' }, { state: 'absent' }]);
  });

  test('variables ignore the case of their names', () =>
    assert.equal(machine.variable('systemroot'), machine.variable('SYSTEMROOT')));

  test('an application is found by the registry, with its version and its endpoint', () => {
    const path = join(folder, 'run.json');
    fs.writeFileSync(path, JSON.stringify({ pid: process.pid, http: 'http://127.0.0.1:81/x' }));
    const entry = { kind: 'uninstall_registry', display_name_prefix: name };
    const win32 = { presence: 'executable', location: [{ ...entry, file: 'Acme.exe' }], version: entry, liveness: { kind: 'server_json', path } };
    const gate = new Gate();
    gate.register('acme', { app: { win32 }, requires: { app: true, min_version: '2.3' } });
    const { state, version, path: found } = gate.availability('acme');
    assert.deepEqual([state, version, found], ['available', '2.3.1', join(folder, 'Acme.exe')]);
    assert.deepEqual(gate.endpoint('acme'), { url: 'http://127.0.0.1:81/mcp', token: null });
  });

  test('a package is read with `/` between its names', () => {
    fs.mkdirSync(join(folder, 'package', 'skills', 'one'), { recursive: true });
    const $schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';
    fs.writeFileSync(join(folder, 'package', 'plugin.json'), JSON.stringify({ $schema, name: 'acme' }));
    fs.writeFileSync(join(folder, 'package', 'skills', 'one', 'SKILL.md'), '---\nname: one\ndescription: One.\n---\n');
    const { findings, skills } = Package.open(join(folder, 'package')).validate();
    assert.deepEqual([findings, skills.map((skill) => skill.folder)], [[], ['skills/one']]);
  });
});
