/**
 * Makes `generated/` of the components with jco, and `types/` of the sources.
 *
 * node build.js [GATE [PACKAGES]]      the components are `appdecl.wasm` and `appdecl-packages.wasm` here, else those given
 *                                      or named by APPDECL_COMPONENT and APPDECL_PACKAGES_COMPONENT
 */

import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { componentWit, transpile } from '@bytecodealliance/jco';

const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const generated = join(here, 'generated');
const [gate = process.env.APPDECL_COMPONENT, packages = process.env.APPDECL_PACKAGES_COMPONENT] = process.argv.slice(2);

await rm(generated, { recursive: true, force: true });
const components = [
  { kind: 'gate', name: 'appdecl', path: gate ?? join(here, 'appdecl.wasm') },
  { kind: 'packages', name: 'appdecl-packages', path: packages ?? join(here, 'appdecl-packages.wasm') },
];
for (const component of components) component.names = await emit(component);

// The check of a component's version needs the generated folders, so it comes after; a refused one leaves nothing.
try {
  const { judge } = await import('./src/component.js');
  for (const { kind, names } of components) judge(names, kind);
} catch (error) {
  await rm(generated, { recursive: true, force: true });
  throw error;
}

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
await rm(join(here, 'types'), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', here], { stdio: 'inherit' });

/** Writes what jco makes of a component, and the names of its imports and exports. */
async function emit({ kind, name, path }) {
  const component = await readFile(path);
  const wit = await componentWit(component);
  const named = (word) => [...wit.matchAll(new RegExp(`^  ${word} ([^;{]+);`, 'gm'))].map((match) => match[1].trim());
  const names = { imports: named('import'), exports: named('export') };
  const { files } = await transpile(component, {
    name,
    instantiation: { tag: 'sync' },
    minify: true,
    noNodejsCompat: true,
    wasiShim: false,
  });
  for (const [file, content] of Object.entries({ ...files, 'names.json': JSON.stringify(names) })) {
    const target = join(generated, kind, file);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  return names;
}
