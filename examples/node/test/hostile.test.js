/** A host that breaks its contract ends one call, and no other. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { suite, test } from 'node:test';
import { Worker } from 'node:worker_threads';

import { ComponentError, Fault, Gate, HostError } from '../src/index.js';
import { LINUX, RUNNING, TOKEN, WINDOWS, paper } from './paper.js';

const thrower = (error) => () => {
  throw error;
};

const gateWith = (declaration, answers) => {
  const gate = new Gate({ host: paper(answers), redactor: () => true });
  gate.register('acme', declaration);
  return gate;
};

/** Breaks the answers for two calls, sees both fail, and sees the same gate answer after that. */
function assertTwoCallsFail(answers, { words = /./, declaration = LINUX, ask = 'availability' } = {}) {
  const good = paper();
  const twice = ([name, bad]) => {
    const left = [bad, bad];
    return [name, (...asked) => (left.pop() ?? good[name])(...asked)];
  };
  const gate = gateWith(declaration, Object.fromEntries(Object.entries(answers).map(twice)));
  for (let call = 0; call < 2; call += 1) {
    assert.throws(() => gate[ask]('acme'), (error) => error instanceof HostError && words.test(error.message));
  }
  assert.deepEqual(gate[ask]('acme'), gateWith(declaration)[ask]('acme'));
}

suite('one bad answer', () => {
  test('an exception is named with the question', () =>
    assertTwoCallsFail({ stat: thrower(new Error('out of order')) }, { words: /`filesystem\.stat`: .*out of order/ }));

  test('what is no error is an exception too', () => {
    for (const thrown of [undefined, null, 'text', { code: 'absent', detail: '' }, { payload: 5 }, []]) {
      assertTwoCallsFail({ stat: thrower(thrown) });
    }
  });

  test('the system is no question for a fault', () => assertTwoCallsFail({ os: thrower(new Fault('io')) }, { words: /environment\.os/ }));

  test('wrong types are refused', () => {
    for (const answers of [
      { os: () => 'beos' },
      { os: () => 7 },
      { stat: () => undefined },
      { stat: async () => ({ kind: 'file', executable: true }) },
      { stat: () => ({ kind: 'socket', executable: true }) },
      { stat: () => ({ kind: 'file', executable: 1 }) },
      { stat: thrower(new Fault('gone')) },
      { stat: thrower(new Fault('io', 7)) },
    ]) {
      assertTwoCallsFail(answers);
    }
  });

  test('numbers are never cut to size', () => {
    for (const started of [-1, 1n << 64n, 1.5, '5', true, 2 ** 60]) {
      assertTwoCallsFail({ process: () => ({ state: 'running', started }) }, { declaration: RUNNING, ask: 'endpoint' });
    }
    for (const file of [{ size: -5, bytes: new Uint8Array() }, { size: 2, bytes: '{}' }, { size: 2, bytes: [1, 2] }]) {
      assertTwoCallsFail({ runtimeFile: () => file }, { declaration: RUNNING, ask: 'endpoint' });
    }
  });

  test('a registry value goes with its tag', () => {
    const wrong = [
      { tag: 'text', val: 5 }, { tag: 'number', val: '5' }, { tag: 'odd' }, 'text', { tag: 'text', val: '\ud800' },
      { tag: 'unreadable', val: { code: 'denied', detail: '' } },
    ];
    for (const value of wrong) {
      const gate = gateWith(WINDOWS, { os: () => 'win32', subkeys: () => [{ name: 'Acme', values: Array(4).fill(value) }] });
      assert.throws(() => gate.availability('acme'), HostError);
    }
  });

  test('too few values of a key do no harm', () => {
    const gate = gateWith(WINDOWS, { os: () => 'win32', subkeys: () => [{ name: 'Acme', values: [] }] });
    assert.equal(gate.availability('acme').state, 'version_too_old');
  });

  test('a secret is not in the words about a broken redactor', () => {
    const gate = new Gate({ host: paper(), redactor: (secret) => { throw new Error(secret); } });
    gate.register('acme', RUNNING);
    assert.throws(() => gate.endpoint('acme'), (error) =>
      error instanceof HostError && !error.stack.includes(TOKEN) && error.cause === undefined);
  });
});

suite('too much', () => {
  test('a hundred megabytes are too large and not copied', () => {
    const bytes = Buffer.alloc(100_000_000);
    const gate = gateWith(RUNNING, { runtimeFile: () => ({ size: 5, bytes, owner: 'this-user', group: 'this-user', mode: 0o600 }) });
    assert.equal(gate.endpoint('acme').reason, 'too-large');
    assert.equal(gate.availability('acme').state, 'available');
  });

  test('a hundred megabytes of a variable are too large', () => {
    const declaration = { app: { linux: { presence: 'executable', location: [{ kind: 'command', name: 'a' }] } }, requires: { app: true } };
    assert.equal(gateWith(declaration, { variable: () => 'x'.repeat(100_000_000) }).availability('acme').state, 'missing_app');
  });

  test('a program file of a hundred megabytes is unreadable', () => {
    const app = { win32: { presence: 'executable', location: 'C:\\a.exe', version: { kind: 'pe_resource' } } };
    const gate = gateWith({ app, requires: { app: true, min_version: '1' } }, { os: () => 'win32', pe: () => Buffer.alloc(100_000_000) });
    assert.equal(gate.availability('acme').reason, 'version-unreadable');
  });
});

suite('no answer', () => {
  test('a worker whose host never answers can be terminated, and harms no other gate', async () => {
    const index = new URL('../src/index.js', import.meta.url).href;
    const paperUrl = new URL('./paper.js', import.meta.url).href;
    const code = `
      import { parentPort } from 'node:worker_threads';
      const { Gate } = await import(${JSON.stringify(index)});
      const { LINUX, paper } = await import(${JSON.stringify(paperUrl)});
      const stat = () => { parentPort.postMessage('asked'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); };
      const gate = new Gate({ host: paper({ stat }) });
      gate.register('acme', LINUX);
      gate.availability('acme');
    `;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
    assert.deepEqual(await once(worker, 'message'), ['asked']);
    await worker.terminate();
    assert.equal(gateWith(LINUX).availability('acme').state, 'available');
  });

  test('a host can not call the gate that asks it', () => {
    const gate = gateWith(LINUX, { stat: () => gate.servers() });
    assert.throws(() => gate.availability('acme'), /asking it/);
    assert.deepEqual(gate.servers(), ['acme']);
  });

  test('a fault of the evaluation offers nothing, and is told', async () => {
    const gate = gateWith(LINUX, { stat: thrower(new Error('x')) });
    const warned = once(process, 'warning');
    assert.equal(gate.serverOffered('acme', true), false);
    assert.equal((await warned)[0].name, 'AppdeclWarning');
    assert.equal(gate.skillOffered(['acme']).offered, false);
    assert.deepEqual(gate.servers(), ['acme']);
  });

  test('text that is none is refused before the component', () => {
    const gate = gateWith(LINUX);
    for (const name of [undefined, null, 5, '\ud800']) {
      assert.throws(() => gate.availability(name), (error) => error instanceof TypeError || error instanceof ComponentError);
    }
    assert.deepEqual(gate.servers(), ['acme']);
  });
});
