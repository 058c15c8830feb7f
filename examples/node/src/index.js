/**
 * May a tool be offered on this machine, and if not, why and what now?
 *
 * The rules are in a WebAssembly component that is the same in every language. This package loads it, answers its questions
 * about the machine, and decides nothing itself. Begin with `Gate`, or with `Package` for a whole package.
 */

export { Token } from './answers.js';
export { AppdeclError, ComponentError, HostError, InvalidDeclaration, PackageError, VersionMismatch } from './errors.js';
export { Gate, shared } from './gate.js';
export { Fault } from './host.js';
export { Machine } from './machine.js';
export { Package } from './package.js';
export { Redactor } from './redaction.js';
export { Replay } from './replay.js';

/** @typedef {import('./host.js').Host} Host */
/** @typedef {import('./gate.js').Declaration} Declaration */
/** @typedef {import('./gate.js').GateOptions} GateOptions */
/** @typedef {import('./answers.js').Availability} Availability */
/** @typedef {import('./answers.js').Check} Check */
/** @typedef {import('./answers.js').Diagnostic} Diagnostic */
/** @typedef {import('./answers.js').Endpoint} Endpoint */
/** @typedef {import('./answers.js').EndpointUnavailable} EndpointUnavailable */
/** @typedef {import('./answers.js').Registration} Registration */
/** @typedef {import('./answers.js').SkillDecision} SkillDecision */
/** @typedef {import('./answers.js').Status} Status */
/** @typedef {import('./report.js').Boundary} Boundary */
/** @typedef {import('./report.js').Finding} Finding */
/** @typedef {import('./report.js').PackageServer} PackageServer */
/** @typedef {import('./report.js').PackageSkill} PackageSkill */
/** @typedef {import('./report.js').Refusal} Refusal */
/** @typedef {import('./report.js').Report} Report */
/** @typedef {import('./report.js').Variable} Variable */
