/**
 * Packages: folders that hold a portable plugin (`plugin.json`) or a static repository plugin (`.dsh-plugin`).
 *
 * What they mean is decided in a component of its own, which asks nothing of the machine: here a folder is listed, and the
 * files that the component asks for are read.
 */

import { join } from 'node:path';

import { Component, packagedComponent } from './component.js';
import { ComponentError, InvalidDeclaration, PackageError } from './errors.js';
import { Folder } from './folder.js';
import { refusal, report } from './report.js';

/** @typedef {import('./report.js').Format} Format */
/** @typedef {import('./report.js').Refusal} Refusal */
/** @typedef {import('./report.js').Report} Report */
/** @typedef {import('../generated/packages/interfaces/appdecl-gate-packages.js').Report} WitReport */
/** @typedef {import('../generated/packages/interfaces/appdecl-gate-packages.js').Content} Content */
/** @typedef {import('../generated/packages/interfaces/appdecl-gate-packages.js').Inspection} Inspection */

// Every set of contents leads to the next, and three are enough (wit/gate/packages.wit).
const MOST_ROUNDS = 3;
const MOST_READ = 24 * 1024 * 1024;

let packagedRules = /** @type {Component | undefined} */ (undefined);

/** A package that was read and judged. Made by `Package.open`. */
export class Package {
  #folder;
  #rules;
  #judged;
  #report;

  /** @param {string} folder @param {Component} rules @param {WitReport} judged */
  constructor(folder, rules, judged) {
    this.#folder = folder;
    this.#rules = rules;
    this.#judged = judged;
    this.#report = report(judged);
  }

  /**
   * Reads and judges the package in a folder, by the rules of one format where the folder holds both.
   *
   * Everything below it is listed, links not followed, up to 100,000 entries. Files are read where a rule needs them, from
   * their beginning and within bounds. Nothing is executed or written, nothing outside the package is read, and nothing that
   * is not a regular file is opened. `component` is another one than that of this package, as for `Gate`.
   *
   * Throws `PackageError` where there is no report at all; a faulty package has one. Throws `ComponentError` where the
   * component can not be loaded or has no answer.
   * @param {string} folder @param {{ format?: Format, component?: import('./component.js').Transpiled }} [options]
   */
  static open(folder, { format, component } = {}) {
    const rules = component === undefined ? packaged() : new Component(component, 'packages');
    const opened = new Folder(folder);
    // A folder that is no package can be as large as a disk: what stands at its top tells the component already.
    const top = opened.list({ below: false });
    if (holdsNothing(ask(rules, 'inspect', top, [], undefined), top)) throw noPackage(folder);
    const listing = opened.list();
    const contents = /** @type {Content[]} */ ([]);
    let left = MOST_READ;
    for (let round = 0; round <= MOST_ROUNDS; round += 1) {
      /** @type {Inspection} */
      const found = ask(rules, 'inspect', listing, contents, format?.replaceAll('_', '-'));
      if (found.tag === 'report') {
        if (holdsNothing(found, listing)) throw noPackage(folder);
        return new Package(folder, rules, found.val);
      }
      for (const { path, limit } of found.val) {
        const data = opened.read(path, Math.min(Number(limit), left));
        left -= data.tag === 'bytes' ? data.val.length : 0;
        if (left === 0) {
          throw new PackageError(`\`${folder}\` has manifests and skills of more than ${MOST_READ} bytes together`);
        }
        contents.push({ path, data });
      }
    }
    throw new ComponentError('the component asks for more files again and again');
  }

  /** What is wrong with the package, and what of it may be used. @returns {Report} */
  validate() {
    return this.#report;
  }

  /**
   * Everything that speaks against installing the package on the machine that `gate` asks, together; empty where it may be
   * installed. `platforms` is what a catalogue's entry says, such as `windows`; empty where there is none. Nothing is
   * registered. Throws what `gate.evaluate` throws, but for `InvalidDeclaration`: a server that can not be evaluated is a
   * refusal.
   * @param {import('./gate.js').Gate} gate @param {string[]} [platforms] @returns {Refusal[]}
   */
  installGate(gate, platforms = []) {
    const evaluated = [];
    for (const { name, declaration } of this.#report.servers) {
      if (declaration === null) continue;
      try {
        const { state, ...found } = gate.evaluate(declaration, join(this.#folder, 'plugin.json'));
        const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
        evaluated.push({ server: name, availability: { ...known, state: state.replaceAll('_', '-') } });
      } catch (error) {
        if (!(error instanceof InvalidDeclaration)) throw error;
      }
    }
    return ask(this.#rules, 'installGate', this.#judged, evaluated, platforms, gate.os()).map(refusal);
  }
}

/**
 * Whether the component found no package in all that was listed.
 * @param {Inspection} found @param {import('./folder.js').Listing} listing
 */
function holdsNothing(found, listing) {
  return !listing.truncated && found.tag === 'report' && found.val.formats.length === 0;
}

/** @param {string} folder */
function noPackage(folder) {
  return new PackageError(`\`${folder}\` is no package: it has no plugin.json and no .dsh-plugin`);
}

function packaged() {
  packagedRules ??= new Component(packagedComponent('packages'), 'packages');
  return packagedRules;
}

/** @param {Component} rules @param {string} name @param {unknown[]} questions @returns {any} */
function ask(rules, name, ...questions) {
  // A fresh instance for each question, so that no package leaves anything behind for the next.
  const instance = rules.instantiate({});
  try {
    return instance[name](...questions);
  } catch (error) {
    throw new ComponentError(`the component ended \`${name}\`: ${error}`, { cause: error });
  }
}
