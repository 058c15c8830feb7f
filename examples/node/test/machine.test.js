/** The real host on this machine: Linux and macOS. */

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';

import { Fault, Gate, Machine } from '../src/index.js';

const unix = { skip: process.platform === 'win32' && 'files, pipes and modes are those of Linux and macOS' };
const linux = { skip: process.platform !== 'linux' && 'this is of Linux' };

suite('machine', unix, () => {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'appdecl-')));
  after(() => fs.rmSync(folder, { recursive: true }));
  const machine = new Machine();
  const at = (...names) => join(folder, ...names);
  const file = (name, content = '', mode = 0o600) => {
    fs.mkdirSync(join(at(name), '..'), { recursive: true });
    fs.writeFileSync(at(name), content);
    fs.chmodSync(at(name), mode);
    return at(name);
  };
  const pipe = (name) => {
    execFileSync('mkfifo', [at(name)]);
    return at(name);
  };
  const assertFault = (code, ask) => assert.throws(ask, (error) => error instanceof Fault && error.code === code);

  test('files, folders, links and pipes are told apart', () => {
    file('program', '', 0o700);
    fs.symlinkSync('program', at('link'));
    fs.symlinkSync('gone', at('nowhere'));
    fs.symlinkSync('loop', at('loop'));
    assert.deepEqual(machine.stat(at('program')), { kind: 'file', executable: true });
    assert.deepEqual(machine.stat(at('link')), { kind: 'file', executable: true });
    assert.deepEqual(machine.stat(file('plain')), { kind: 'file', executable: false });
    assert.deepEqual(machine.stat(pipe('pipe')), { kind: 'other', executable: false });
    assert.deepEqual(machine.stat(folder), { kind: 'folder', executable: false });
    assertFault('absent', () => machine.stat(at('nowhere')));
    assertFault('absent', () => machine.stat(at('plain', 'below')));
    assertFault('io', () => machine.stat(at('loop')));
  });

  test('paths are taken literally', () => {
    const paths = ['relative', '', '~/x', `${folder}/../x`, `${folder}/a\0b`, `${folder}/a\nb`, `/${'x'.repeat(4096)}`];
    for (const path of paths) {
      assertFault('refused', () => machine.stat(path));
      assertFault('refused', () => machine.runtimeFile(path));
    }
  });

  test('names of a folder are given without it', () => {
    for (const name of ['names/acme-1', 'names/acme-2', 'names/other', 'names/\ufeffbom']) file(name);
    if (process.platform === 'linux') fs.writeFileSync(Buffer.concat([Buffer.from(at('names/acme-')), Buffer.of(0xff)]), '');
    const found = machine.list(at('names'), 'acme-');
    assert(['acme-1', 'acme-2'].every((name) => found.includes(name)));
    assert.deepEqual(machine.list(at('names'), '').sort(), ['acme-1', 'acme-2', 'other', '\ufeffbom']);
    assertFault('not-regular', () => machine.list(at('names/other'), ''));
    assertFault('absent', () => machine.list(at('gone'), ''));
  });

  test('a property list is read up to a mebibyte', () => {
    file('A.app/Contents/Info.plist', Buffer.alloc(1 << 20));
    assert.equal(machine.plist(at('A.app')).length, 1 << 20);
    file('B.app/Contents/Info.plist', Buffer.alloc((1 << 20) + 1));
    assertFault('too-large', () => machine.plist(at('B.app')));
    fs.mkdirSync(at('C.app/Contents'), { recursive: true });
    pipe('C.app/Contents/Info.plist');
    assertFault('not-regular', () => machine.plist(at('C.app')));
  });

  test('ranges of programs alone are read', () => {
    const program = file('a.exe', 'MZ0123456789');
    const read = (offset, length) => Buffer.from(machine.pe(program, offset, length)).toString();
    assert.deepEqual([read(2n, 4), read(10n, 400), read(1n << 40n, 4), read((1n << 64n) - 1n, 4)], ['0123', '89', '', '']);
    assertFault('refused', () => machine.pe(file('secret', 'not a program'), 0n, 4));
  });

  test('a runtime file is read with what is known of it', () => {
    const path = file('run.json', '{}', 0o640);
    fs.utimesSync(path, 1.5, 1.5);
    const found = machine.runtimeFile(path);
    assert.equal(Buffer.from(found.bytes).toString(), '{}');
    assert.deepEqual([found.size, found.modified, found.owner, found.mode], [2, 1500n, 'this-user', 0o640]);
    assert.equal(machine.runtimeFile(file('full', Buffer.alloc(65_536))).bytes.length, 65_536);
    const large = machine.runtimeFile(file('large', Buffer.alloc(70_000)));
    assert.deepEqual([large.size, large.bytes.length], [70_000, 0]);
  });

  test('a pipe or a folder is no runtime file and blocks nobody', () => {
    for (const path of [pipe('run.pipe'), folder, '/dev/null']) assertFault('not-regular', () => machine.runtimeFile(path));
    assertFault('absent', () => machine.runtimeFile(at('gone')));
  });

  test('a file that may not be read is denied', { skip: process.geteuid?.() === 0 && 'the superuser may read everything' }, () =>
    assertFault('denied', () => machine.runtimeFile(file('closed', '', 0o000))));

  test('variables are given as they stand', () => {
    process.env.APPDECL_A = ' x ';
    process.env.APPDECL_B = '';
    assert.deepEqual([machine.variable('APPDECL_A'), machine.variable('APPDECL_B')], [' x ', '']);
    for (const name of ['APPDECL_C', 'appdecl_a', '', 'A=B', 'A\0B', 'toString', '__proto__', 'constructor']) {
      assertFault('absent', () => machine.variable(name));
    }
  });

  test('a variable that is no UTF-8 is not carried', linux, () => {
    const code = `import { Machine } from ${JSON.stringify(new URL('../src/index.js', import.meta.url).href)};
      try { new Machine().variable('APPDECL_D') } catch (fault) { console.log(fault.code) }`;
    const script = `APPDECL_D="$(printf '\\377')" exec "$0" --input-type=module -e "$1"`;
    assert.equal(execFileSync('sh', ['-c', script, process.execPath, code], { encoding: 'utf8' }).trim(), 'unsupported');
  });

  test('there is no registry', () => assertFault('unsupported', () => machine.subkeys('local-machine', 'bits64', 'SOFTWARE', [])));

  test('this process runs and has started before now', () => {
    const { state, started } = machine.process(process.pid);
    assert.equal(state, 'running');
    if (process.platform === 'linux') {
      const expected = Date.now() - process.uptime() * 1000;
      assert(Math.abs(started - expected) < 5000, `${started} is far from ${expected}`);
    }
  });

  test('a process that ended is a zombie until its parent looks, and absent then', linux, async () => {
    // The child ends when the fourth pipe is closed; its parent has become a program that does not look after it.
    const script = 'cat <&3 >/dev/null & echo $!; exec cat';
    const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit', 'pipe'] });
    const child = Number((await once(parent.stdout, 'data'))[0]);
    parent.stdin.write('echo');
    await once(parent.stdout, 'data');
    assert.equal(machine.process(child).state, 'running');
    parent.stdio[3].end();
    let state;
    do {
      await new Promise(setImmediate);
      ({ state } = machine.process(child));
    } while (state === 'running');
    assert.equal(state, 'zombie');
    parent.stdin.end();
    await once(parent, 'exit');
    assert.equal(machine.process(parent.pid).state, 'absent');
  });

  test('the session is that of this system', () => assert.equal(machine.session().tag, process.platform));

  test('a command is found on the path and its endpoint in its runtime file', linux, () => {
    const program = file('bin/acme', '#!/bin/sh\n', 0o700);
    file('other/acme');
    const run = file('live.json', JSON.stringify({ pid: process.pid, http: 'http://localhost:81/x' }));
    const gate = new Gate();
    const location = [{ kind: 'command', name: 'acme' }];
    const liveness = { kind: 'server_json', path: run };
    gate.register('acme', { app: { linux: { presence: 'executable', location, liveness } }, requires: { app: true } });
    const path = process.env.PATH;
    process.env.PATH = `relative:${at('other')}:${at('bin')}`;
    try {
      assert.equal(gate.availability('acme').path, program);
    } finally {
      process.env.PATH = path;
    }
    assert.deepEqual(gate.endpoint('acme'), { url: 'http://localhost:81/mcp', token: null });
    fs.chmodSync(run, 0o602);
    assert.deepEqual(gate.endpoint('acme'), { reason: 'untrusted' });
  });
});
