/** A machine on paper: a host that answers from a transcript of questions and answers, and never looks at the real one. */

import { HostError } from './errors.js';
import { Fault } from './host.js';

/** @typedef {import('./host.js').Host} Host */
/** @typedef {{ interface: string, function: string, arguments: unknown[], answer?: any, fault?: any }} Line */

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
      this.#answers.set(question(entry.interface, entry.function, entry.arguments), entry);
    }
  }

  /** @param {string} interfaceName @param {string} name @param {unknown[]} about @returns {any} */
  #answer(interfaceName, name, ...about) {
    const asked = question(interfaceName, name, about);
    const entry = this.#answers.get(asked);
    if (entry === undefined) throw new HostError(`the transcript does not hold the answer to ${asked}`);
    if (entry.fault !== undefined) throw new Fault(entry.fault.code, entry.fault.detail);
    return entry.answer;
  }

  os() {
    return this.#answer('environment', 'os');
  }

  /** @param {string} name */
  variable(name) {
    return this.#answer('environment', 'variable', name);
  }

  /** @param {string} path */
  stat(path) {
    return this.#answer('filesystem', 'stat', path);
  }

  /** @param {string} folder @param {string} prefix */
  list(folder, prefix) {
    return this.#answer('filesystem', 'list', folder, prefix);
  }

  /** @param {string} bundle */
  plist(bundle) {
    return decoded(this.#answer('plist', 'read', bundle));
  }

  /** @param {string} path @param {bigint} offset @param {number} length */
  pe(path, offset, length) {
    return decoded(this.#answer('pe', 'read-at', path, String(offset), length));
  }

  /** @param {string} hive @param {string} view @param {string} key @param {string[]} values */
  subkeys(hive, view, key, values) {
    const found = this.#answer('registry', 'subkeys', hive, view, key, values);
    return found.map((/** @type {any} */ subkey) => ({ name: subkey.name, values: subkey.values.map(value) }));
  }

  /** @param {string} path */
  runtimeFile(path) {
    const found = this.#answer('runtime-file', 'read', path);
    return { ...found, size: BigInt(found.size), bytes: decoded(found.bytes), modified: number(found.modified) };
  }

  /** @param {number} pid */
  process(pid) {
    const found = this.#answer('process', 'status', pid);
    return { state: found.state, started: number(found.started) };
  }

  session() {
    const { tag, val = {} } = variant(this.#answer('session', 'current'));
    const camel = (/** @type {string} */ name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
    return { tag, val: Object.fromEntries(Object.entries(val).map(([name, fact]) => [camel(name), fact])) };
  }
}

/** @param {string} interfaceName @param {string} name @param {unknown[]} asked */
function question(interfaceName, name, asked) {
  return `${interfaceName}.${name}${JSON.stringify(asked)}`;
}

/** A variant is its name, or an object of one member. @param {any} written @returns {any} */
function variant(written) {
  if (typeof written === 'string') return { tag: written };
  const [[tag, val]] = Object.entries(written);
  return { tag, val };
}

/** @param {any} written @returns {import('./host.js').Value} */
function value(written) {
  const { tag, val } = variant(written);
  if (tag === 'unreadable') return { tag, val: new Fault(val.code, val.detail) };
  return { tag, val: tag === 'number' ? BigInt(val) : val };
}

/** @param {string | null} written */
function number(written) {
  return written === null ? null : BigInt(written);
}

/** @param {string} base64 */
function decoded(base64) {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
