import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';

import { Gate, InvalidDeclaration, Redactor, Replay, shared } from '../src/index.js';
import { LINUX, RUNNING, TOKEN, paper } from './paper.js';

const gateWith = (declaration, options = {}) => {
  const gate = new Gate({ host: paper(), ...options });
  gate.register('acme', declaration, { displayName: 'Acme' });
  return gate;
};

suite('answers', () => {
  test('an installed application is available', () => {
    const gate = gateWith(LINUX);
    assert.deepEqual(gate.availability('acme'), {
      state: 'available', version: null, path: '/opt/acme/acme', minVersion: null, offerable: true, reason: null,
    });
    assert.equal(gate.availability('other'), null);
  });

  test('a refused declaration tells all its faults and leaves the old one', () => {
    const gate = gateWith(LINUX);
    const refused = { app: { linux: { presence: 'x', location: 'y' } } };
    assert.throws(
      () => gate.register('acme', refused, { label: 'here' }),
      (error) => {
        assert(error instanceof InvalidDeclaration);
        assert.deepEqual(error.diagnostics.map(({ code, pointer }) => [code, pointer]), [
          ['unknown-value', '/app/linux/presence'],
          ['path-not-rooted', '/app/linux/location'],
        ]);
        return error.message.startsWith('here: app.linux.presence');
      },
    );
    assert.deepEqual(JSON.parse(gate.lookup('acme').declaration), LINUX);
  });

  test('the list of declarations is kept', () => {
    const gate = gateWith(LINUX);
    gate.register('a', JSON.stringify(LINUX));
    assert.deepEqual(gate.servers(), ['a', 'acme']);
    assert.deepEqual([gate.lookup('a').displayName, gate.lookup('acme').displayName], [null, 'Acme']);
    assert.deepEqual([gate.unregister('a'), gate.unregister('a')], [true, false]);
    gate.clear();
    assert.deepEqual(gate.servers(), []);
  });

  test('the gates decide by name and connection', () => {
    const gate = gateWith(LINUX);
    assert.deepEqual([gate.serverOffered('acme', true), gate.serverOffered('acme', false)], [true, false]);
    assert.deepEqual(gate.skillOffered(['acme']), { offered: true, decidedBy: null });
    assert.deepEqual(gate.skillOffered(['acme', 'other']), { offered: false, decidedBy: 'other' });
  });

  test('a check tells how the status came about', () => {
    const gate = gateWith(LINUX);
    const { status, trace } = gate.check('acme');
    assert.deepEqual([status.state, status.retry, status.app.name], ['not_connected', 'after_user_action', 'Acme']);
    assert(JSON.stringify(trace).includes('/opt/acme/acme'));
    assert.equal(gate.check('other'), null);
    assert(gate.listing('acme', 3).includes('3 tools unavailable'));
  });

  test('versions compare as numbers', () => {
    const gate = new Gate({ host: paper() });
    assert.deepEqual([gate.versionAtLeast('5.10', '5.9'), gate.versionAtLeast('nightly', '0')], [true, false]);
  });

  test('a declaration needs no registration', () => {
    const gate = new Gate({ host: paper() });
    assert.equal(gate.evaluate({ requires: { app: false } }).state, 'no_requirements');
    assert.deepEqual(gate.diagnose(LINUX), []);
    assert.throws(() => gate.evaluate('[]'), InvalidDeclaration);
  });

  test('a thread has one shared gate', () => assert.equal(shared(), shared()));

  test('a transcript answers for a machine', () => {
    const host = new Replay([
      '{"interface": "environment", "function": "os", "arguments": [], "answer": "linux"}',
      '{"interface": "filesystem", "function": "stat", "arguments": ["/opt/acme/acme"], "fault": {"code": "denied", "detail": ""}}',
    ]);
    assert.equal(gateWith(LINUX, { host }).availability('acme').reason, 'access-denied');
  });
});

suite('tokens', () => {
  test('a token comes only through a redactor that took it', () => {
    const taken = [];
    for (const [redactor, expected] of [[undefined], [() => false], [(secret) => taken.push(secret) > 0, TOKEN]]) {
      const endpoint = gateWith(RUNNING, { redactor }).endpoint('acme');
      assert.equal(endpoint.url, 'http://127.0.0.1:5000/mcp');
      assert.equal(endpoint.token?.reveal(), expected);
    }
    assert.deepEqual(taken, [TOKEN]);
  });

  test('a token prints nothing', () => {
    const endpoint = gateWith(RUNNING, { redactor: () => true }).endpoint('acme');
    const texts = [String(endpoint.token), JSON.stringify(endpoint), inspect(endpoint, { showHidden: true, depth: 9 })];
    for (const text of texts) assert(!text.includes(TOKEN) && text.includes('***'), text);
  });

  test('no endpoint has a reason', () => assert.deepEqual(gateWith(LINUX).endpoint('acme'), { reason: 'no-liveness' }));

  test('a redactor masks what is written to its streams', () => {
    const written = [];
    const stream = { write: (chunk) => written.push(Buffer.from(chunk).toString()) };
    const redactor = new Redactor(stream);
    const gate = gateWith(RUNNING, { redactor: (secret) => redactor.redact(secret) });
    assert.equal(gate.endpoint('acme').token.reveal(), TOKEN);
    stream.write(`text ${TOKEN} ü\n`);
    stream.write(Buffer.from(`bytes ${TOKEN} ü\n`));
    assert.deepEqual(written, ['text *** ü\n', 'bytes *** ü\n']);
  });

  test('a redactor that guards nothing, or knows too much, promises nothing', () => {
    assert.equal(new Redactor().redact('x'), false);
    const redactor = new Redactor({ write() {} });
    const answers = Array.from({ length: 4097 }, (_, number) => redactor.redact(`secret-${number}`));
    assert.equal(answers.indexOf(false), 4096);
    assert.equal(redactor.redact('secret-7'), true);
  });

  test('a secret within a secret leaves nothing of either', () => {
    const redactor = new Redactor({ write() {} });
    redactor.redact('abc');
    redactor.redact('xabcx');
    assert.equal(redactor.mask('xabcx abc'), '*** ***');
  });
});
