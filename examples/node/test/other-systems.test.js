/** The parts of the host that belong to Windows and macOS, on fakes of what Node offers there. */

import assert from 'node:assert/strict';
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, suite, test } from 'node:test';

import { Fault, Gate } from '../src/index.js';
import { WINDOWS } from './paper.js';

const UNINSTALL = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall';
const restore = [];

/** Puts a value in the place of a member until the test is over. */
function replace(object, name, value) {
  const before = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  restore.push(() => Object.defineProperty(object, name, before));
  syncBuiltinESMExports();
}

/** The host as it is loaded on another system. */
async function machineOn(platform) {
  const before = Object.getOwnPropertyDescriptor(process, 'platform');
  Object.defineProperty(process, 'platform', { ...before, value: platform });
  restore.push(() => Object.defineProperty(process, 'platform', before));
  const { Machine } = await import(`../src/machine.js?${platform}`);
  return new Machine();
}

/** `reg.exe`, which answers with text or ends with a status; what it was asked. */
function regExe(answer) {
  const calls = [];
  replace(childProcess, 'execFileSync', (program, asked, options) => {
    calls.push([program, ...asked]);
    assert.deepEqual([options.stdio, options.encoding], [['ignore', 'pipe', 'ignore'], 'latin1']);
    const found = typeof answer === 'function' ? answer(asked) : answer;
    if (typeof found === 'string') return found;
    throw Object.assign(new Error('reg.exe'), found);
  });
  return calls;
}

const assertFault = (code, ask) => assert.throws(ask, (error) => error instanceof Fault && error.code === code);
afterEach(() => {
  for (const undo of restore.splice(0).reverse()) undo();
  syncBuiltinESMExports();
});

suite('Windows', () => {
  test('the registry is asked by reg.exe of the system, for one hive and one view', async () => {
    const machine = await machineOn('win32');
    const calls = regExe('\r\nHKEY_CURRENT_USER\\x\r\n');
    process.env.SystemRoot = 'D:\\Windows';
    restore.push(() => delete process.env.SystemRoot);
    machine.subkeys('local-machine', 'bits64', UNINSTALL, ['DisplayName']);
    machine.subkeys('current-user', 'bits32', UNINSTALL, ['DisplayName']);
    const program = 'D:\\Windows\\System32\\reg.exe';
    assert.deepEqual(calls, [
      [program, 'query', `HKEY_LOCAL_MACHINE\\${UNINSTALL}`, '/s', '/reg:64'],
      [program, 'query', `HKEY_CURRENT_USER\\${UNINSTALL}`, '/s', '/reg:32'],
    ]);
  });

  test('a key that is not there, and a program that does not answer', async () => {
    const machine = await machineOn('win32');
    for (const [failure, code] of [[{ status: 1 }, 'absent'], [{ code: 'ENOENT' }, 'io'], [{ code: 'ETIMEDOUT' }, 'io'], [{ code: 'ENOBUFS' }, 'io']]) {
      regExe(failure);
      assertFault(code, () => machine.subkeys('local-machine', 'bits64', UNINSTALL, []));
    }
  });

  test('no other key is asked for', async () => {
    const machine = await machineOn('win32');
    const calls = regExe('');
    for (const key of ['SOFTWARE', `${UNINSTALL}\\x`, `${UNINSTALL} /f *`]) {
      assertFault('refused', () => machine.subkeys('local-machine', 'bits64', key, []));
    }
    assert.deepEqual(calls, []);
  });

  test('a version comes from the registry through the component', async () => {
    const host = await machineOn('win32');
    const key = `HKEY_LOCAL_MACHINE\\${UNINSTALL}`;
    const entry = ['    DisplayName    REG_SZ    Acme', '    DisplayVersion    REG_SZ    2.5', '    InstallLocation    REG_SZ    C:\\Acme'];
    regExe((asked) => (asked[1] === key && asked[3] === '/reg:64' ? ['', `${key}\\Acme`, ...entry, ''].join('\r\n') : { status: 1 }));
    replace(fs, 'statSync', (path) => ({ isFile: () => path === '\\\\?\\C:\\Acme\\acme.exe', isDirectory: () => false }));
    const gate = new Gate({ host });
    gate.register('acme', WINDOWS);
    const { state, version, path } = gate.availability('acme');
    assert.deepEqual([state, version, path], ['available', '2.5', 'C:\\Acme\\acme.exe']);
  });

  test('paths are handed over in their literal form', async () => {
    const machine = await machineOn('win32');
    const seen = [];
    replace(fs, 'statSync', (path) => {
      seen.push(path);
      return { isFile: () => true, isDirectory: () => false };
    });
    for (const path of ['C:\\Acme\\acme.exe', 'c:/a/./NUL', 'C:\\a. ', 'C:\\', 'C:\\a\\']) {
      assert.deepEqual(machine.stat(path), { kind: 'file', executable: false });
    }
    assert.deepEqual(seen, ['\\\\?\\C:\\Acme\\acme.exe', '\\\\?\\c:\\a\\NUL', '\\\\?\\C:\\a. ', '\\\\?\\C:\\', '\\\\?\\C:\\a\\']);
  });

  test('networks, devices, streams and relative paths are refused', async () => {
    const machine = await machineOn('win32');
    const paths = [
      '\\\\server\\share\\x', '//server/x', '\\\\?\\C:\\x', '\\\\.\\pipe\\x', 'C:x', 'C:', 'x', '\\x', 'C:\\a:stream', 'C:\\a\\..\\b',
      'C:/a/../b', '1:\\x', '\u00c4:\\x', 'C:\\a\nb',
    ];
    for (const path of paths) assertFault('refused', () => machine.stat(path));
  });

  test('a runtime file has no owner there', async () => {
    const machine = await machineOn('win32');
    const { statSync, openSync } = fs;
    const file = new URL(import.meta.url);
    replace(fs, 'statSync', (_path, options) => statSync(file, options));
    replace(fs, 'openSync', (_path, flags) => openSync(file, flags));
    const { owner, group, mode, size } = machine.runtimeFile('C:\\run.json');
    assert.deepEqual([owner, group, mode, size], [null, null, null, statSync(file).size]);
  });

  test('a process is asked for by its number, and numbers between are none', async () => {
    const machine = await machineOn('win32');
    const asked = [];
    replace(process, 'kill', (pid, signal) => {
      asked.push([pid, signal]);
      if (pid === 8) throw Object.assign(new Error(), { code: 'ESRCH' });
      if (pid === 12) throw Object.assign(new Error(), { code: 'EPERM' });
    });
    assert.deepEqual([machine.process(4), machine.process(8), machine.process(7)], [{ state: 'running' }, { state: 'absent' }, { state: 'absent' }]);
    assertFault('denied', () => machine.process(12));
    assert.deepEqual(asked, [[4, 0], [8, 0], [12, 0]]);
  });

  test('a session can not be told', async () => {
    const machine = await machineOn('win32');
    assert.equal(machine.os(), 'win32');
    assertFault('unsupported', () => machine.session());
  });
});

suite('macOS', () => {
  test('a process is asked for by signal 0, and a session has no facts', async () => {
    const machine = await machineOn('darwin');
    replace(process, 'kill', () => true);
    assert.deepEqual([machine.os(), machine.process(7), machine.session()], ['darwin', { state: 'running' }, { tag: 'darwin' }]);
    assertFault('unsupported', () => machine.subkeys('local-machine', 'bits64', UNINSTALL, []));
  });

  test('all names of a folder are given, since letter case does not count there', async () => {
    const machine = await machineOn('darwin');
    const names = ['Acme 2', 'acme 1', 'other'];
    replace(fs, 'statSync', () => ({ isDirectory: () => true }));
    replace(fs, 'opendirSync', () => {
      const left = names.map((name) => ({ name: Buffer.from(name) }));
      return { readSync: () => left.shift() ?? null, closeSync: () => undefined };
    });
    assert.deepEqual(machine.list('/Applications', 'Acme'), names);
  });
});

test('another system is none that is known', async () => {
  const machine = await machineOn('freebsd');
  assert.throws(() => machine.os(), /freebsd/);
});
