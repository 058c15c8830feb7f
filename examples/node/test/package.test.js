/** Packages: what is read of a folder, and what a folder of strangers can not do. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { ComponentError, Fault, Gate, HostError, Package, PackageError, VersionMismatch } from '../src/index.js';
import { packagedComponent } from '../src/component.js';
import { LINUX, paper } from './paper.js';

const MANIFEST = {
  $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json',
  name: 'acme',
  extensions: { 'com.nousresearch.hermes': { servers: { acme: LINUX } } },
};
const SERVERS = {
  $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
  mcpServers: { acme: { type: 'stdio', command: 'acme' } },
};
const unix = { skip: process.platform === 'win32' && 'links and pipes are those of Linux and macOS' };

suite('packages', () => {
  let above;
  let folder;
  const at = (...names) => join(folder, ...names);
  const write = (name, content) => {
    fs.mkdirSync(dirname(at(name)), { recursive: true });
    fs.writeFileSync(at(name), content);
  };
  const replace = (name, make) => {
    fs.rmSync(at(name));
    make(at(name));
  };
  const codes = () => Package.open(folder).validate().findings.map(({ code, file }) => [code, file]);

  beforeEach(() => {
    above = fs.mkdtempSync(join(tmpdir(), 'appdecl-'));
    folder = join(above, 'package');
    write('plugin.json', JSON.stringify(MANIFEST));
    write('mcp.json', JSON.stringify(SERVERS));
  });
  afterEach(() => fs.rmSync(above, { recursive: true }));

  test('a good package is listed with what may be used', () => {
    const report = Package.open(folder).validate();
    assert.deepEqual([report.format, report.name, report.rejected, report.findings], ['portable', 'acme', false, []]);
    const [{ name, transport, declaration }] = report.servers;
    assert.deepEqual([name, transport, JSON.parse(declaration)], ['acme', 'stdio', LINUX]);
  });

  test('a declaration of the report can be registered', () => {
    const [{ name, declaration }] = Package.open(folder).validate().servers;
    const gate = new Gate({ host: paper() });
    gate.register(name, declaration);
    assert(gate.serverOffered('acme', true));
  });

  test('one format can be asked for', () => {
    const report = Package.open(folder, { format: 'static_repository' }).validate();
    assert.deepEqual([report.format, report.formats, report.rejected], ['static_repository', ['portable'], true]);
  });

  test('a folder that is no package has no report', () => {
    fs.rmSync(at('plugin.json'));
    assert.throws(() => Package.open(folder), (error) => error instanceof PackageError && /no plugin\.json/.test(error.message));
    for (const path of [at('gone'), at('mcp.json'), 'a\0b']) assert.throws(() => Package.open(path), PackageError);
  });

  test('a folder that is no package is not listed below its top, which could take as long as a disk is large', (t) => {
    fs.rmSync(at('plugin.json'));
    write('photos/2019/cat.txt', 'meow');
    const { mock } = t.mock.method(fs.default, 'opendirSync');
    syncBuiltinESMExports();
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    assert.throws(() => Package.open(folder), (error) => error instanceof PackageError && /no plugin\.json/.test(error.message));
    assert.equal(mock.callCount(), 1);
  });

  const reasons = (platforms, answers) => {
    const refusals = Package.open(folder).installGate(new Gate({ host: paper(answers) }), platforms);
    return refusals.map(({ reason, server }) => [reason, server]);
  };

  test('all that speaks against installing is told together', () => {
    assert.deepEqual(reasons(), []);
    assert.deepEqual(reasons(['linux']), []);
    const stat = () => {
      throw new Fault('absent');
    };
    assert.deepEqual(reasons(['windows'], { stat }), [['platform_mismatch', null], ['missing_app', 'acme']]);
  });

  test('the machine is the one that the gate asks', () =>
    assert.deepEqual(reasons(['macos'], { os: () => 'win32' }), [['platform_mismatch', null], ['unsupported_os', 'acme']]));

  test('nothing is registered', () => {
    const gate = new Gate({ host: paper() });
    Package.open(folder).installGate(gate);
    assert.deepEqual(gate.servers(), []);
  });

  test('a host that breaks its contract is an error, and the gate goes on', () => {
    let broken = true;
    const stat = () => {
      if (!broken) return { kind: 'file', executable: true };
      broken = false;
      throw new Error('out of order');
    };
    const gate = new Gate({ host: paper({ stat }) });
    const opened = Package.open(folder);
    assert.throws(() => opened.installGate(gate), /out of order/);
    assert.deepEqual(opened.installGate(gate), []);
    assert.throws(() => opened.installGate(new Gate({ host: paper({ os: () => 'beos' }) })), HostError);
  });

  test('a pipe is not opened', unix, () => {
    replace('plugin.json', (path) => execFileSync('mkfifo', [path]));
    assert.deepEqual(codes(), [['wrong-kind', 'plugin.json']]);
  });

  test('what leads out of the package is not taken in', unix, () => {
    fs.writeFileSync(join(above, 'plugin.json'), JSON.stringify(MANIFEST));
    replace('plugin.json', (path) => fs.symlinkSync('../plugin.json', path));
    const { name, findings } = Package.open(folder).validate();
    assert.deepEqual([name, findings.map(({ code }) => code)], [null, ['link-leads-outside']]);
  });

  test('a folder that links to itself ends', unix, () => {
    fs.symlinkSync('.', at('self'));
    fs.symlinkSync('round', at('round'));
    assert.deepEqual(codes(), [['link-left-out', 'round']]);
  });

  test('a file of five gigabytes is not read', unix, () => {
    write('mcp.json', '');
    fs.truncateSync(at('mcp.json'), 5_000_000_000);
    const before = process.memoryUsage().rss;
    assert.deepEqual(codes().filter(([, file]) => file === 'mcp.json').length, 1);
    assert(process.memoryUsage().rss - before < 512 << 20);
  });

  test('names that are no text are shown with a replacement', { skip: process.platform !== 'linux' && 'this is of Linux' }, () => {
    fs.writeFileSync(Buffer.concat([Buffer.from(at('caf')), Buffer.of(0xff)]), '');
    assert.deepEqual(codes().map(([, file]) => file), ['caf\ufffd']);
  });

  const component = (change) => {
    const { module, folder: generated } = packagedComponent('packages');
    const copy = join(above, 'generated');
    fs.cpSync(generated, copy, { recursive: true });
    fs.writeFileSync(join(copy, 'names.json'), change(fs.readFileSync(join(copy, 'names.json'), 'utf8')));
    return { module, folder: pathToFileURL(`${copy}/`) };
  };

  test('a component of another version is refused with both versions', () => {
    assert.equal(Package.open(folder, { component: component((names) => names) }).validate().name, 'acme');
    const other = component((names) => names.replaceAll('@0.1.0', '@0.2.0'));
    assert.throws(() => Package.open(folder, { component: other }), (error) =>
      error instanceof VersionMismatch && /0\.2\.0.*0\.1\.0/.test(error.message));
  });

  test('a component that asks the machine is not the one for packages', () =>
    assert.throws(() => Package.open(folder, { component: packagedComponent('gate') }), VersionMismatch));

  test('what can not be read is refused', () =>
    assert.throws(() => Package.open(folder, { component: component(() => 'not json') }), ComponentError));
});
