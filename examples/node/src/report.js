/** What there is to say about a package. Words are those of the specification: `static_repository`. */

import { whole } from './answers.js';

/**
 * @typedef {import('../generated/packages/interfaces/appdecl-gate-packages.js').Report} WitReport
 * @typedef {import('../generated/packages/interfaces/appdecl-gate-packages.js').Finding} WitFinding
 * @typedef {import('../generated/packages/interfaces/appdecl-gate-packages.js').Refusal} WitRefusal
 */

/** @template {string} S @typedef {import('./answers.js').Word<S>} Word */
/** @template T @typedef {import('./answers.js').Whole<T>} Whole */

/** @typedef {Word<import('../generated/packages/interfaces/appdecl-gate-packages.js').Format>} Format */
/**
 * What a finding takes down: the whole package, all servers, all skills, one server or skill by its name, or nothing.
 * @typedef {{ kind: 'package' | 'servers' | 'skills' | 'nothing' } | { kind: 'server' | 'skill', name: string }} Boundary
 */
/** @typedef {Omit<Whole<WitFinding>, 'boundary'> & { boundary: Boundary }} Finding */
/** @typedef {Whole<import('../generated/packages/interfaces/appdecl-gate-packages.js').Server>} PackageServer */
/** @typedef {import('../generated/packages/interfaces/appdecl-gate-packages.js').Skill} PackageSkill */
/** @typedef {import('../generated/packages/interfaces/appdecl-gate-packages.js').Variable} Variable */
/**
 * @typedef {Omit<Whole<WitReport>, 'format' | 'formats' | 'findings' | 'servers'> & {
 *   format: Format, formats: Format[], findings: Finding[], servers: PackageServer[]
 * }} Report
 */
/** @typedef {Omit<Whole<WitRefusal>, 'reason'> & { reason: Word<WitRefusal['reason']> }} Refusal */

/** A report of the component. @param {WitReport} found @returns {Report} */
export function report(found) {
  return {
    ...whole(found),
    format: word(found.format),
    formats: found.formats.map(word),
    findings: found.findings.map(finding),
    servers: found.servers.map(whole),
  };
}

/** A refusal of the component. @param {WitRefusal} found @returns {Refusal} */
export function refusal(found) {
  return { ...whole(found), reason: word(found.reason) };
}

/** @param {WitFinding} found @returns {Finding} */
function finding(found) {
  const { boundary } = found;
  // The whole package is called so in the WIT alone, where `package` is a word of the language.
  const kind = boundary.tag === 'whole-package' ? 'package' : boundary.tag;
  const named = 'val' in boundary ? { kind, name: boundary.val } : { kind };
  return { ...whole(found), boundary: /** @type {Boundary} */ (named) };
}

/** @template {string} S @param {S} name @returns {Word<S>} */
function word(name) {
  return /** @type {Word<S>} */ (name.replaceAll('-', '_'));
}
