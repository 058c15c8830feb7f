import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { ComponentError, Gate, VersionMismatch } from '../src/index.js';
import { packagedComponent } from '../src/component.js';
import { LINUX, paper } from './paper.js';

suite('versions', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'appdecl-'));
  after(() => rm(folder, { recursive: true }));
  const { module, folder: generated } = packagedComponent('gate');
  await cp(generated, folder, { recursive: true });
  const names = await readFile(join(folder, 'names.json'), 'utf8');
  const component = { module, folder: pathToFileURL(`${folder}/`) };

  const load = async (content) => {
    await writeFile(join(folder, 'names.json'), content);
    const gate = new Gate({ component, host: paper() });
    gate.register('acme', LINUX);
    return gate.availability('acme').state;
  };

  test('a component of the same version is taken', async () => assert.equal(await load(names), 'available'));

  test('a component of another version is refused with both versions', () =>
    assert.rejects(load(names.replaceAll('@0.1.0', '@0.2.0')), (error) =>
      error instanceof VersionMismatch && /0\.2\.0.*0\.1\.0/.test(error.message)));

  test('a component that exports another version is refused with both versions', () =>
    assert.rejects(load(names.replaceAll('gate/gate@0.1.0', 'gate/gate@0.3.0')), (error) =>
      error instanceof VersionMismatch && /0\.3\.0.*0\.1\.0/.test(error.message)));

  test('a question that is not answered is refused by name', () =>
    assert.rejects(load(names.replace('host/pe@', 'host/clock@')), /appdecl:host\/clock@0\.1\.0/));

  test('what can not be read is refused', () => assert.rejects(load('not json'), ComponentError));
});
