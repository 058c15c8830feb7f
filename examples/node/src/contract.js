/**
 * The import side of the component: a host's answers, checked and bounded.
 *
 * What a host of strangers gives is judged here: a wrong type ends the call, too much of it is `too-large`. The code that
 * jco emits would take a wrong type for what it looks like.
 */

import { HostError } from './errors.js';
import { Fault } from './host.js';

// The bounds of the contract: wit/host says them with each question.
const MAX_VARIABLE = 128 * 1024;
const MAX_NAMES = 65_536;
const MAX_PLIST = 1024 * 1024;
const MAX_RANGE = 65_536;
const MAX_RUNTIME_FILE = 65_536n;
const MAX_SUBKEYS = 16_384;
const MAX_VALUE = 32_768;
const MAX_LIST_TEXT = 8 * 1024 * 1024;
const MAX_DETAIL = 1024;

const CODES = ['absent', 'denied', 'locked', 'not-regular', 'too-large', 'refused', 'unsupported', 'io'];
const PRINCIPALS = ['this-user', 'root', 'other'];

/**
 * The import object for the code that jco emits.
 *
 * @param {import('./host.js').Host} host
 * @param {((secret: string) => boolean) | undefined} redact
 */
export function imports(host, redact) {
  /** @type {(question: string, ask: (...a: any[]) => unknown, lower: (answer: any) => unknown) => (...a: any[]) => any} */
  const answered = (question, ask, lower) => (...questions) => {
    try {
      return lower(ask(...questions));
    } catch (error) {
      if (error instanceof Fault) throw fault(question, error);
      if (error instanceof HostError) throw new HostError(`the host's answer to \`${question}\`: ${error.message}`);
      throw new HostError(`the host threw at \`${question}\`: ${error}`, { cause: error });
    }
  };
  return {
    'appdecl:host/environment': {
      os: unfailing('environment.os', () => system(host.os())),
      variable: answered('environment.variable', (name) => host.variable(name), variable),
    },
    'appdecl:host/filesystem': {
      stat: answered('filesystem.stat', (path) => host.stat(path), node),
      list: answered('filesystem.list', (folder, prefix) => host.list(folder, prefix), names),
    },
    'appdecl:host/plist': {
      read: answered('plist.read', (bundle) => host.plist(bundle), (content) => bytes(content, MAX_PLIST)),
    },
    'appdecl:host/pe': {
      readAt: answered('pe.read-at', (...asked) => host.pe(asked[0], asked[1], asked[2]), (c) => bytes(c, MAX_RANGE)),
    },
    'appdecl:host/registry': {
      subkeys: answered('registry.subkeys', (...asked) => host.subkeys(asked[0], asked[1], asked[2], asked[3]), subkeys),
    },
    'appdecl:host/runtime-file': {
      read: answered('runtime-file.read', (path) => host.runtimeFile(path), contents),
    },
    'appdecl:host/process': {
      status: answered('process.status', (pid) => host.process(pid), processStatus),
    },
    'appdecl:host/session': {
      current: answered('session.current', () => host.session(), session),
    },
    'appdecl:host/secrets': {
      redact: secretTaker(redact),
    },
    'appdecl:host/types': {},
  };
}

/** @param {unknown} found @returns {import('./host.js').OsFamily} */
function system(found) {
  return /** @type {import('./host.js').OsFamily} */ (word(found, ['win32', 'darwin', 'linux']));
}

/** @template T @param {string} question @param {() => T} ask */
function unfailing(question, ask) {
  return () => {
    try {
      return ask();
    } catch (error) {
      throw new HostError(`the host threw at \`${question}\`: ${error}`, { cause: error });
    }
  };
}

/** @param {((secret: string) => boolean) | undefined} redact */
function secretTaker(redact) {
  return (/** @type {string} */ secret) => {
    let taken;
    try {
      taken = redact === undefined ? false : redact(secret);
    } catch {
      // Its words may hold the secret: they are not passed on.
      throw new HostError('the redactor threw at `secrets.redact`');
    }
    return flag(taken);
  };
}

/** What jco takes for the error arm of a result. @param {string} question @param {Fault} found */
function fault(question, found) {
  try {
    return faultRecord(found);
  } catch (error) {
    return new HostError(`the host's fault at \`${question}\`: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {Fault} found */
function faultRecord(found) {
  return { code: word(found.code, CODES), detail: text(found.detail).slice(0, MAX_DETAIL).toWellFormed() };
}

/** @param {unknown} value */
function variable(value) {
  if (text(value).length > MAX_VARIABLE || Buffer.byteLength(/** @type {string} */ (value)) > MAX_VARIABLE) {
    throw new Fault('too-large', 'the value is larger than 128 KiB');
  }
  return value;
}

/** @param {any} found */
function node(found) {
  const { kind, executable } = object(found);
  return { kind: word(kind, ['file', 'folder', 'other']), executable: flag(executable) };
}

/** @param {unknown} found */
function names(found) {
  const list = array(found);
  if (list.length > MAX_NAMES || list.reduce((sum, name) => sum + text(name).length, 0) > MAX_LIST_TEXT) {
    throw new Fault('too-large', 'the folder holds more names than are handed over');
  }
  return list;
}

/** @param {unknown} content @param {number} limit */
function bytes(content, limit) {
  if (!(content instanceof Uint8Array)) throw new HostError(`it is ${kindOf(content)}, expected a Uint8Array`);
  if (content.length > limit) throw new Fault('too-large', `there are more than ${limit} bytes`);
  return content;
}

/** @param {unknown} found */
function subkeys(found) {
  const list = array(found);
  if (list.length > MAX_SUBKEYS) throw new Fault('too-large', 'there are more than 16384 keys');
  let size = 0;
  const keys = list.map((key) => {
    const { name, values } = object(key);
    const lowered = array(values).map(value);
    size += text(name).length;
    for (const { val } of lowered) size += typeof val === 'string' ? val.length : 0;
    return { name, values: lowered };
  });
  if (size > MAX_LIST_TEXT) throw new Fault('too-large', 'the values are larger than 8 MiB');
  return keys;
}

/** @param {unknown} found @returns {{ tag: string, val?: unknown }} */
function value(found) {
  const { tag, val } = object(found);
  switch (tag) {
    case 'missing':
    case 'other':
      return { tag };
    case 'text':
    case 'expandable-text':
      if (text(val).length <= MAX_VALUE) return { tag, val };
      return { tag: 'unreadable', val: { code: 'too-large', detail: 'the value is larger than 64 KiB' } };
    case 'number':
      return { tag, val: whole(val, 64) };
    case 'unreadable':
      if (val instanceof Fault) return { tag, val: faultRecord(val) };
  }
  throw new HostError(`a registry value \`${tag}\` does not go with ${kindOf(val)}`);
}

/** @param {unknown} found */
function contents(found) {
  const file = object(found);
  if (!(file.bytes instanceof Uint8Array)) throw new HostError(`its bytes are ${kindOf(file.bytes)}, expected a Uint8Array`);
  const length = BigInt(file.bytes.length);
  const stated = whole(file.size, 64);
  const size = stated > length ? stated : length;
  return {
    size,
    bytes: size > MAX_RUNTIME_FILE ? new Uint8Array() : file.bytes,
    modified: optional(file.modified, (time) => whole(time, 64)),
    owner: optional(file.owner, (owner) => word(owner, PRINCIPALS)),
    group: optional(file.group, (group) => word(group, PRINCIPALS)),
    mode: optional(file.mode, (mode) => Number(whole(mode, 32)) & 0o7777),
  };
}

/** @param {unknown} found */
function processStatus(found) {
  const { state, started } = object(found);
  return {
    state: word(state, ['running', 'zombie', 'ended', 'absent']),
    started: optional(started, (time) => whole(time, 64)),
  };
}

/** @param {unknown} found */
function session(found) {
  const { tag, val } = object(found);
  const number = (/** @type {unknown} */ id) => optional(id, (known) => Number(whole(known, 32)));
  switch (tag) {
    case 'win32': {
      const { processSession, consoleSession, windowStation } = object(val);
      const ids = { processSession: number(processSession), consoleSession: number(consoleSession) };
      return { tag, val: { ...ids, windowStation: flag(windowStation) } };
    }
    case 'linux': {
      const { auditSession, runtimeFolderReadable } = object(val);
      return { tag, val: { auditSession: number(auditSession), runtimeFolderReadable: flag(runtimeFolderReadable) } };
    }
    case 'darwin':
      return { tag };
  }
  throw new HostError(`\`${tag}\` is no set of session facts`);
}

/** @template T @param {unknown} found @param {(known: unknown) => T} lower @returns {T | undefined} */
function optional(found, lower) {
  return found === undefined || found === null ? undefined : lower(found);
}

/** @param {unknown} found @returns {Record<string, unknown>} */
function object(found) {
  if (typeof found !== 'object' || found === null) throw new HostError(`it is ${kindOf(found)}, expected an object`);
  return /** @type {Record<string, unknown>} */ (found);
}

/** @param {unknown} found @returns {any[]} */
function array(found) {
  if (!Array.isArray(found)) throw new HostError(`it is ${kindOf(found)}, expected an array`);
  return found;
}

/** @param {unknown} found @returns {string} */
function text(found) {
  if (typeof found !== 'string') throw new HostError(`it is ${kindOf(found)}, expected a string`);
  if (!found.isWellFormed()) throw new HostError('it is text with a lone surrogate, which is no Unicode text');
  return found;
}

/** @param {unknown} found @returns {boolean} */
function flag(found) {
  if (typeof found !== 'boolean') throw new HostError(`it is ${kindOf(found)}, expected a boolean`);
  return found;
}

/** @param {unknown} found @param {number} bits @returns {bigint} */
function whole(found, bits) {
  const number = Number.isSafeInteger(found) ? BigInt(/** @type {number} */ (found)) : found;
  if (typeof number !== 'bigint' || number < 0n || number >= 1n << BigInt(bits)) {
    throw new HostError(`a whole number from 0 to 2^${bits}-1 was expected, and ${kindOf(found)} was found`);
  }
  return number;
}

/** @param {unknown} found @param {string[]} words @returns {string} */
function word(found, words) {
  if (typeof found !== 'string' || !words.includes(found)) throw new HostError(`one of ${words.join(', ')} was expected`);
  return found;
}

/** What a value is, without its content. @param {unknown} found */
function kindOf(found) {
  return found === null ? 'null' : Array.isArray(found) ? 'an array' : `of type ${typeof found}`;
}
