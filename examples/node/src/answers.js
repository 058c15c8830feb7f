/** The answers. Their types are those of the WIT; words are those of the specification: `missing_app`. */

import { inspect } from 'node:util';

/**
 * @typedef {import('../generated/gate/interfaces/appdecl-gate-types.js').Availability} WitAvailability
 * @typedef {import('../generated/gate/interfaces/appdecl-gate-types.js').Status} WitStatus
 */

/**
 * A name of the WIT, as the specification spells it.
 * @template {string} S
 * @typedef {S extends `${infer A}-${infer B}` ? `${A}_${Word<B>}` : S} Word
 */

/**
 * A record of the WIT whose missing members are null, so that its JSON text names all of them.
 * @template T
 * @typedef {{ [K in keyof T]-?: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K] }} Whole
 */

/** @typedef {Whole<import('../generated/gate/interfaces/appdecl-gate-types.js').Diagnostic>} Diagnostic */
/** @typedef {Whole<import('../generated/gate/interfaces/appdecl-gate-types.js').Registration>} Registration */
/** @typedef {Whole<import('../generated/gate/interfaces/appdecl-gate-types.js').SkillDecision>} SkillDecision */
/** @typedef {Whole<import('../generated/gate/interfaces/appdecl-gate-types.js').AppSummary>} AppSummary */
/** @typedef {Omit<Whole<WitAvailability>, 'state'> & { state: Word<WitAvailability['state']> }} Availability */
/**
 * @typedef {Omit<Whole<WitStatus>, 'state' | 'retry' | 'app'> & {
 *   state: Word<WitStatus['state']>, retry: Word<WitStatus['retry']>, app: AppSummary
 * }} Status
 */
/** @typedef {{ url: string, token: Token | null }} Endpoint */
/** @typedef {{ reason: string }} EndpointUnavailable */
/** @typedef {{ availability: Availability, status: Status | null, trace: Record<string, unknown> }} Check */

/** A secret that does not print itself: `String`, `JSON.stringify` and `console.log` show `Token(***)`. */
export class Token {
  #secret;

  /** @param {string} secret */
  constructor(secret) {
    this.#secret = secret;
  }

  /** The secret itself, for the one request that needs it. */
  reveal() {
    return this.#secret;
  }

  toString() {
    return 'Token(***)';
  }

  toJSON() {
    return 'Token(***)';
  }

  [inspect.custom]() {
    return 'Token(***)';
  }
}

/** @template {object} T @param {T} record @returns {Whole<T>} */
export function whole(record) {
  const entries = Object.entries(record).map(([name, value]) => [name, value === undefined ? null : value]);
  return Object.fromEntries(entries);
}

/** @param {WitAvailability | undefined} found @returns {Availability | null} */
export function availability(found) {
  return found === undefined ? null : { ...whole(found), state: word(found.state) };
}

/** @param {WitStatus | undefined} found @returns {Status | null} */
export function status(found) {
  if (found === undefined) return null;
  return { ...whole(found), app: whole(found.app), state: word(found.state), retry: word(found.retry) };
}

/** @template {string} S @param {S} name @returns {Word<S>} */
function word(name) {
  return /** @type {Word<S>} */ (name.replaceAll('-', '_'));
}
