/** The gate: the list of declarations, and what may be offered on this machine. */

import { Token, availability, status, whole } from './answers.js';
import { Component, packagedComponent } from './component.js';
import { imports } from './contract.js';
import { AppdeclError, ComponentError, HostError, InvalidDeclaration } from './errors.js';
import { Machine } from './machine.js';

/** @typedef {string | Record<string, unknown>} Declaration JSON text, or the object that such text stands for */
/** @typedef {import('./answers.js').Availability} Availability */
/** @typedef {import('./answers.js').Check} Check */
/** @typedef {import('./answers.js').Diagnostic} Diagnostic */
/** @typedef {import('./answers.js').Endpoint} Endpoint */
/** @typedef {import('./answers.js').EndpointUnavailable} EndpointUnavailable */
/** @typedef {import('./answers.js').Registration} Registration */
/** @typedef {import('./answers.js').SkillDecision} SkillDecision */
/** @typedef {import('./answers.js').Status} Status */
/**
 * @typedef {object} GateOptions
 * @property {import('./component.js').Transpiled} [component] else the one that comes with this package
 * @property {import('./host.js').Host} [host] who answers the component's questions, else the machine this runs on
 * @property {(secret: string) => boolean} [redactor] takes a token before it is returned, and says whether from now on no
 *   output will carry it; without one no token is ever returned
 */

/**
 * A list of declarations on one component instance.
 *
 * Every method may throw a `HostError` or a `ComponentError`. After that the next call runs on a new instance with the same
 * declarations. A call blocks its thread until the host has answered: a host that may hang belongs into a worker, which
 * can be terminated.
 *
 * ```js
 * const gate = new Gate();
 * gate.register('acme', { app: { linux: { presence: 'executable', location: '/usr/bin/acme' } }, requires: { app: true } });
 * console.log(gate.availability('acme'));
 * ```
 */
export class Gate {
  #component;
  #imports;
  #registered = /** @type {Map<string, [string, string, string | undefined]>} */ (new Map());
  #instance = /** @type {any} */ (undefined);
  #busy = false;

  /** @param {GateOptions} [options] */
  constructor({ component = packagedComponent('gate'), host = new Machine(), redactor } = {}) {
    this.#component = new Component(component, 'gate');
    this.#imports = imports(host, redactor);
  }

  /**
   * All faults of a declaration in the order of the document; empty where it is valid.
   * @param {Declaration} declaration @param {string} [label] @returns {Diagnostic[]}
   */
  diagnose(declaration, label = 'declaration') {
    return this.#call('diagnose', json(declaration), text(label)).map(whole);
  }

  /**
   * Registers a declaration under a server's name in place of one that stood there.
   *
   * `label` is the caller's name for where it came from; every message starts with it. Throws `InvalidDeclaration`, and the
   * old one still stands.
   * @param {string} server @param {Declaration} declaration @param {{ label?: string, displayName?: string }} [options]
   */
  register(server, declaration, { label = server, displayName } = {}) {
    const registered = /** @type {[string, string, string | undefined]} */ ([json(declaration), text(label), displayName]);
    this.#call('register', text(server), ...registered);
    this.#registered.set(server, registered);
  }

  /** Removes one server; false where it was not registered. @param {string} server @returns {boolean} */
  unregister(server) {
    const removed = this.#call('unregister', text(server));
    this.#registered.delete(server);
    return removed;
  }

  /** The declaration of one server. @param {string} server @returns {Registration | null} */
  lookup(server) {
    const found = this.#call('lookup', text(server));
    return found === undefined ? null : /** @type {Registration} */ (whole(found));
  }

  /** The names of all registered servers, sorted. @returns {string[]} */
  servers() {
    return this.#call('servers');
  }

  /** Removes everything. */
  clear() {
    this.#call('clear');
    this.#registered.clear();
  }

  /**
   * The availability of a registered server on this machine, now; null where it is not registered.
   * @param {string} server @returns {Availability | null}
   */
  availability(server) {
    return availability(this.#call('availabilityOf', text(server)));
  }

  /**
   * The availability of a declaration that is not registered. Throws `InvalidDeclaration`.
   * @param {Declaration} declaration @param {string} [label] @returns {Availability}
   */
  evaluate(declaration, label = 'declaration') {
    return /** @type {Availability} */ (availability(this.#call('evaluate', json(declaration), text(label))));
  }

  /**
   * Where the application behind a server listens, read anew at every call.
   * @param {string} server @returns {Endpoint | EndpointUnavailable}
   */
  endpoint(server) {
    const found = this.#call('endpointOf', text(server));
    if ('reason' in found) return found;
    return { url: found.url, token: found.token === undefined ? null : new Token(found.token) };
  }

  /**
   * Why a server is not offered or not connected; null where it is offerable and connected.
   * @param {string} server @param {boolean} [connected] @returns {Status | null}
   */
  status(server, connected = false) {
    return status(this.#call('statusOf', text(server), Boolean(connected)));
  }

  /**
   * One line for a listing, `NAME (N tools unavailable: MESSAGE)`; null where the server is offered.
   * @param {string} server @param {number} tools @param {boolean} [connected] @returns {string | null}
   */
  listing(server, tools, connected = false) {
    if (!Number.isInteger(tools) || tools < 0 || tools > 0xffff_ffff) {
      throw new RangeError('`tools` is a count of at most 32 bits');
    }
    return this.#call('listing', text(server), tools, Boolean(connected)) ?? null;
  }

  /**
   * Whether a server's tools may be shown. A fault during the evaluation is told as a warning, and is no.
   * @param {string} server @param {boolean} connected @returns {boolean}
   */
  serverOffered(server, connected) {
    try {
      return this.#call('serverOffered', text(server), Boolean(connected));
    } catch (error) {
      warn(`server \`${server}\` is not offered`, error);
      return false;
    }
  }

  /**
   * Whether a skill that names these applications may be shown. A fault is told as a warning, and is no.
   * @param {string[]} requiresApps @returns {SkillDecision}
   */
  skillOffered(requiresApps) {
    const names = requiresApps.map(text);
    try {
      return /** @type {SkillDecision} */ (whole(this.#call('skillOffered', names)));
    } catch (error) {
      warn('a skill is not offered', error);
      return { offered: false, decidedBy: null };
    }
  }

  /**
   * How the status of a server came about, as JSON text; null where it is not registered.
   * @param {string} server @param {boolean} [connected] @returns {string | null}
   */
  explain(server, connected = false) {
    return this.#call('explain', text(server), Boolean(connected)) ?? null;
  }

  /**
   * Availability, status and how they came about; null where the server is not registered.
   * @param {string} server @param {boolean} [connected] @returns {Check | null}
   */
  check(server, connected = false) {
    const found = this.availability(server);
    const trace = this.explain(server, connected);
    if (found === null || trace === null) return null;
    return { availability: found, status: this.status(server, connected), trace: JSON.parse(trace) };
  }

  /** The system that the host answers for. @returns {import('./host.js').OsFamily} */
  os() {
    return this.#imports['appdecl:host/environment'].os();
  }

  /**
   * Whether `found` is a version that is at least `minimum`. Unreadable is never at least anything.
   * @param {string} found @param {string} minimum @returns {boolean}
   */
  versionAtLeast(found, minimum) {
    return this.#call('versionAtLeast', text(found), text(minimum));
  }

  /** @param {string} name @param {unknown[]} questions @returns {any} */
  #call(name, ...questions) {
    if (this.#busy) throw new HostError('a host can not ask the gate that is asking it');
    this.#busy = true;
    try {
      return this.#living()[name](...questions);
    } catch (error) {
      const payload = error instanceof Error && Object.hasOwn(error, 'payload') ? /** @type {any} */ (error).payload : undefined;
      if (Array.isArray(payload)) throw new InvalidDeclaration(payload.map((fault) => /** @type {Diagnostic} */ (whole(fault))));
      if (payload !== undefined) return payload;
      // An instance that was left in the middle of a call can not be entered again.
      this.#instance = undefined;
      if (error instanceof AppdeclError) throw error;
      throw new ComponentError(`the component ended \`${name}\`: ${error}`, { cause: error });
    } finally {
      this.#busy = false;
    }
  }

  #living() {
    if (this.#instance === undefined) {
      const instance = this.#component.instantiate(this.#imports);
      for (const [server, registered] of this.#registered) instance.register(server, ...registered);
      this.#instance = instance;
    }
    return this.#instance;
  }
}

let sharedGate = /** @type {Gate | undefined} */ (undefined);

/** The one gate of this thread, made at the first call: for a harness whose parts do not know each other. */
export function shared() {
  sharedGate ??= new Gate();
  return sharedGate;
}

/** @param {Declaration} declaration */
function json(declaration) {
  return text(typeof declaration === 'string' ? declaration : JSON.stringify(declaration));
}

/** @param {unknown} found @returns {string} */
function text(found) {
  if (typeof found !== 'string' || !found.isWellFormed()) throw new TypeError('a string of Unicode text was expected');
  return found;
}

/** @param {string} what @param {unknown} error */
function warn(what, error) {
  if (!(error instanceof AppdeclError)) throw error;
  process.emitWarning(`${what}: ${error.message}`, 'AppdeclWarning');
}
