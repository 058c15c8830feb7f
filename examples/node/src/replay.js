/** A machine on paper: a host that answers from a transcript of questions and answers, and never looks at the real one. */

import { HostError } from './errors.js';
import { Fault } from './host.js';

/** @typedef {import('./host.js').Host} Host */
/** @typedef {{ interface: string, function: string, args: unknown[], ok?: any, fault?: any }} Line */

/**
 * Answers from the lines of a transcript, each a JSON object as `docs/hosts.md` describes it. A question that no line holds
 * ends the call with a `HostError` that names it.
 * @implements {Host}
 */
export class Replay {
  #answers = /** @type {Map<string, Line>} */ (new Map());

  /** @param {Iterable<string | Line>} lines */
  constructor(lines) {
    for (const line of lines) {
      const entry = typeof line === 'string' ? /** @type {Line} */ (JSON.parse(line)) : line;
      this.#answers.set(question(entry.interface, entry.function, entry.args), entry);
    }
  }

  /** @param {string} interfaceName @param {string} name @param {unknown[]} args @returns {any} */
  #ok(interfaceName, name, ...args) {
    const asked = question(interfaceName, name, args);
    const entry = this.#answers.get(asked);
    if (entry === undefined) throw new HostError(`the transcript does not hold the answer to ${asked}`);
    if (entry.fault !== undefined) throw new Fault(entry.fault.code, entry.fault.detail);
    return entry.ok;
  }

  os() {
    return this.#ok('environment', 'os');
  }

  /** @param {string} name */
  variable(name) {
    return this.#ok('environment', 'variable', name);
  }

  /** @param {string} path */
  stat(path) {
    return this.#ok('filesystem', 'stat', path);
  }

  /** @param {string} folder @param {string} prefix */
  list(folder, prefix) {
    return this.#ok('filesystem', 'list', folder, prefix);
  }

  /** @param {string} bundle */
  plist(bundle) {
    return decoded(this.#ok('plist', 'read', bundle));
  }

  /** @param {string} path @param {bigint} offset @param {number} length */
  pe(path, offset, length) {
    return decoded(this.#ok('pe', 'read-at', path, Number(offset), length));
  }

  /** @param {string} hive @param {string} view @param {string} key @param {string[]} values */
  subkeys(hive, view, key, values) {
    const value = ({ tag = '', val = undefined }) => (tag === 'unreadable' ? { tag, val: fault(val) } : { tag, val });
    const found = this.#ok('registry', 'subkeys', hive, view, key, values);
    return found.map((/** @type {any} */ subkey) => ({ name: subkey.name, values: subkey.values.map(value) }));
  }

  /** @param {string} path */
  runtimeFile(path) {
    const found = this.#ok('runtime-file', 'read', path);
    return { ...found, bytes: decoded(found.bytes) };
  }

  /** @param {number} pid */
  process(pid) {
    return this.#ok('process', 'status', pid);
  }

  session() {
    const { tag, val = {} } = this.#ok('session', 'current');
    const camel = (/** @type {string} */ name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
    return { tag, val: Object.fromEntries(Object.entries(val).map(([name, fact]) => [camel(name), fact])) };
  }
}

/** @param {string} interfaceName @param {string} name @param {unknown[]} args */
function question(interfaceName, name, args) {
  return `${interfaceName}.${name}${JSON.stringify(args)}`;
}

/** @param {any} val */
function fault(val) {
  return new Fault(val.code, val.detail);
}

/** @param {string} base64 */
function decoded(base64) {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
