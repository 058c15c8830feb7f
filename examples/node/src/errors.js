/** What can go wrong, apart from what is an answer: that an application is missing is never one of these. */

/** The base of all errors of this package. */
export class AppdeclError extends Error {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A declaration was refused. A declaration that stood under the same name still stands. */
export class InvalidDeclaration extends AppdeclError {
  /** @param {import('./answers.js').Diagnostic[]} diagnostics */
  constructor(diagnostics) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('\n'));
    /** All faults, in the order of the document. */
    this.diagnostics = diagnostics;
  }
}

/**
 * A host broke its contract: it threw something else than a `Fault`, or gave a wrong type. The call has no result; the next
 * call runs on a new component instance with the same declarations.
 */
export class HostError extends AppdeclError {}

/** The component could not be loaded, or it ended a call by a trap. */
export class ComponentError extends AppdeclError {}

/** The component speaks another version of the contract than this package, or asks what this package does not answer. */
export class VersionMismatch extends ComponentError {}

/** There is no report about a package: no package is there, or it can not be read. A faulty package has a report. */
export class PackageError extends AppdeclError {}
