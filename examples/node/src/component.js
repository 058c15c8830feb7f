/** Loading the component, in the form that jco gives it: a module that instantiates its parts of core WebAssembly. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import * as packaged from '../generated/appdecl.js';
import { ComponentError, VersionMismatch } from './errors.js';

/** The version of the WIT packages that this package is written for. */
export const CONTRACT = '0.1.0';

/** The questions that are answered, as the WIT names their interfaces. */
const ANSWERED = [
  'environment', 'filesystem', 'pe', 'plist', 'process', 'registry', 'runtime-file', 'secrets', 'session', 'types',
];

/**
 * What `jco transpile --instantiation sync` made of a component, and the folder it lies in, as a URL that ends in `/`.
 * `names.json` beside it lists the component's imports and exports; `build.js` writes it.
 *
 * @typedef {{ module: { instantiate: Function }, folder: URL }} Transpiled
 */

/** The component that comes with this package. @returns {Transpiled} */
export function packagedComponent() {
  return { module: packaged, folder: new URL('../generated/', import.meta.url) };
}

/** A component that can be instantiated any number of times. */
export class Component {
  #module;
  #folder;
  #cores = /** @type {Map<string, WebAssembly.Module>} */ (new Map());
  #gate;

  /**
   * Throws `VersionMismatch` where the component speaks another version, `ComponentError` where it can not be read.
   * @param {Transpiled} transpiled
   */
  constructor({ module, folder }) {
    this.#module = module;
    this.#folder = folder;
    let names;
    try {
      names = JSON.parse(readFileSync(new URL('names.json', folder), 'utf8'));
    } catch (error) {
      throw new ComponentError(`the component can not be read: ${error}`, { cause: error });
    }
    this.#gate = judge(names);
  }

  /** A new instance; its gate. @param {object} imports @returns {any} */
  instantiate(imports) {
    const core = (/** @type {string} */ name) => {
      let module = this.#cores.get(name);
      if (module === undefined) {
        module = new WebAssembly.Module(readFileSync(fileURLToPath(new URL(name, this.#folder))));
        this.#cores.set(name, module);
      }
      return module;
    };
    const gate = this.#module.instantiate(core, imports)[this.#gate];
    if (gate === undefined) throw new ComponentError(`the component exports no \`${this.#gate}\``);
    return gate;
  }
}

/**
 * Takes a component by the names of its imports and exports, or refuses it; answers the name of its gate.
 * @param {{ imports: string[], exports: string[] }} names
 */
export function judge({ imports, exports }) {
  for (const name of imports) {
    const [base, version = ''] = name.split('@');
    const [namespace, interfaceName] = base.split('/');
    if (namespace !== 'appdecl:host' || !ANSWERED.includes(interfaceName)) {
      throw new VersionMismatch(`the component asks \`${name}\`, which this package does not answer`);
    }
    if (!sameTrack(version)) {
      throw new VersionMismatch(`the component asks version ${version} of \`${base}\`; version ${CONTRACT} is answered`);
    }
  }
  const gates = exports.filter((name) => name.startsWith('appdecl:gate/gate@'));
  const gate = gates.find((name) => sameTrack(name.split('@')[1]));
  if (gate === undefined) {
    const found = gates.length === 0 ? 'no version' : `version ${gates.map((name) => name.split('@')[1]).join(', ')}`;
    throw new VersionMismatch(`the component is of ${found} of \`appdecl:gate\`; version ${CONTRACT} was expected`);
  }
  return gate;
}

/** Whether two versions differ in their last number alone: such versions only add. @param {string} version */
function sameTrack(version) {
  const track = (/** @type {string} */ text) => text.slice(0, text.lastIndexOf('.'));
  return track(version) === track(CONTRACT);
}
