/** Loading the component, in the form that jco gives it: a module that instantiates its parts of core WebAssembly. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import * as gateModule from '../generated/gate/appdecl.js';
import * as packagesModule from '../generated/packages/appdecl-packages.js';
import { ComponentError, VersionMismatch } from './errors.js';

/** The version of the WIT packages that this package is written for. */
export const CONTRACT = '0.1.0';

/** The questions that are answered to each kind of component, as the WIT names their interfaces. */
const ANSWERED = {
  gate: ['environment', 'filesystem', 'pe', 'plist', 'process', 'registry', 'runtime-file', 'secrets', 'session', 'types'],
  packages: [],
};

/** What a component is wanted for: the interface of `appdecl:gate` that it exports. @typedef {keyof typeof ANSWERED} Kind */

/**
 * What `jco transpile --instantiation sync` made of a component, and the folder it lies in, as a URL that ends in `/`.
 * `names.json` beside it lists the component's imports and exports; `build.js` writes it.
 *
 * @typedef {{ module: { instantiate: Function }, folder: URL }} Transpiled
 */

/** A component that comes with this package. @param {Kind} kind @returns {Transpiled} */
export function packagedComponent(kind) {
  const module = kind === 'gate' ? gateModule : packagesModule;
  return { module, folder: new URL(`../generated/${kind}/`, import.meta.url) };
}

/** A component that can be instantiated any number of times. */
export class Component {
  #module;
  #folder;
  #cores = /** @type {Map<string, WebAssembly.Module>} */ (new Map());
  #exported;

  /**
   * Throws `VersionMismatch` where the component speaks another version, `ComponentError` where it can not be read.
   * @param {Transpiled} transpiled @param {Kind} kind
   */
  constructor({ module, folder }, kind) {
    this.#module = module;
    this.#folder = folder;
    let names;
    try {
      names = JSON.parse(readFileSync(new URL('names.json', folder), 'utf8'));
    } catch (error) {
      throw new ComponentError(`the component can not be read: ${error}`, { cause: error });
    }
    this.#exported = judge(names, kind);
  }

  /** A new instance; what it exports. @param {object} imports @returns {any} */
  instantiate(imports) {
    const core = (/** @type {string} */ name) => {
      let module = this.#cores.get(name);
      if (module === undefined) {
        module = new WebAssembly.Module(readFileSync(fileURLToPath(new URL(name, this.#folder))));
        this.#cores.set(name, module);
      }
      return module;
    };
    const exported = this.#module.instantiate(core, imports)[this.#exported];
    if (exported === undefined) throw new ComponentError(`the component exports no \`${this.#exported}\``);
    return exported;
  }
}

/**
 * Takes a component by the names of its imports and exports, or refuses it; answers the name of the interface wanted.
 * @param {{ imports: string[], exports: string[] }} names @param {Kind} kind
 */
export function judge({ imports, exports }, kind) {
  const answered = /** @type {string[]} */ (ANSWERED[kind]);
  for (const name of imports) {
    const [base, version = ''] = name.split('@');
    const [namespace, interfaceName] = base.split('/');
    if (namespace !== 'appdecl:host' || !answered.includes(interfaceName)) {
      throw new VersionMismatch(`the component asks \`${name}\`, which this package does not answer`);
    }
    if (!sameTrack(version)) {
      throw new VersionMismatch(`the component asks version ${version} of \`${base}\`; version ${CONTRACT} is answered`);
    }
  }
  const named = exports.filter((name) => name.startsWith(`appdecl:gate/${kind}@`));
  const wanted = named.find((name) => sameTrack(name.split('@')[1]));
  if (wanted !== undefined) return wanted;
  if (named.length === 0) {
    throw new VersionMismatch(`the component exports no \`appdecl:gate/${kind}\`; version ${CONTRACT} was expected`);
  }
  const versions = named.map((name) => name.split('@')[1]).join(', ');
  throw new VersionMismatch(`the component is of version ${versions} of \`appdecl:gate\`; version ${CONTRACT} was expected`);
}

/** Whether two versions differ in their last number alone: such versions only add. @param {string} version */
function sameTrack(version) {
  const track = (/** @type {string} */ text) => text.slice(0, text.lastIndexOf('.'));
  return track(version) === track(CONTRACT);
}
