/**
 * Makes `generated/` of the component with jco, and `types/` of the sources.
 *
 * node build.js [COMPONENT]      the component is `appdecl.wasm` here, else the one given or named by APPDECL_COMPONENT
 */

import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { componentWit, transpile } from '@bytecodealliance/jco';

const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const generated = join(here, 'generated');
const given = process.argv[2] ?? process.env.APPDECL_COMPONENT ?? join(here, 'appdecl.wasm');
const component = await readFile(given);

const wit = await componentWit(component);
const named = (word) => [...wit.matchAll(new RegExp(`^  ${word} ([^;{]+);`, 'gm'))].map((match) => match[1].trim());
const names = { imports: named('import'), exports: named('export') };

const { files } = await transpile(component, {
  name: 'appdecl',
  instantiation: { tag: 'sync' },
  minify: true,
  noNodejsCompat: true,
  wasiShim: false,
});
await rm(generated, { recursive: true, force: true });
for (const [name, content] of Object.entries({ ...files, 'names.json': JSON.stringify(names) })) {
  await mkdir(dirname(join(generated, name)), { recursive: true });
  await writeFile(join(generated, name), content);
}

// The check of a component's version needs a first generated folder, so it comes after; a refused one leaves nothing.
try {
  const { judge } = await import('./src/component.js');
  judge(names);
} catch (error) {
  await rm(generated, { recursive: true, force: true });
  throw error;
}

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
await rm(join(here, 'types'), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', here], { stdio: 'inherit' });
