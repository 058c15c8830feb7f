/**
 * The questions that the component asks, as a host in JavaScript answers them: at once, not by a promise.
 *
 * A host answers what the operating system or the disk holds and gives it no meaning. Where there is no answer it throws
 * a `Fault`. `docs/hosts.md` says question by question what to answer and what not to decide.
 */

/** @typedef {import('../generated/gate/interfaces/appdecl-host-types.js').FaultCode} FaultCode */
/** @typedef {import('../generated/gate/interfaces/appdecl-host-environment.js').OsFamily} OsFamily */
/** @typedef {import('../generated/gate/interfaces/appdecl-host-filesystem.js').Node} Node */
/** @typedef {import('../generated/gate/interfaces/appdecl-host-registry.js').Hive} Hive */
/** @typedef {import('../generated/gate/interfaces/appdecl-host-registry.js').View} View */
/** @typedef {{ tag: string, val?: string | number | bigint | Fault }} Value a registry value; its tags are those of the WIT */
/** @typedef {{ name: string, values: Value[] }} Subkey */
/** @typedef {import('../generated/gate/interfaces/appdecl-host-runtime-file.js').Principal} Principal */
/**
 * Sizes and times may be numbers or bigints. What is not known is null or left out.
 * @typedef {{
 *   size: number | bigint, bytes: Uint8Array, modified?: number | bigint | null,
 *   owner?: Principal | null, group?: Principal | null, mode?: number | null
 * }} Contents
 */
/** @typedef {import('../generated/gate/interfaces/appdecl-host-process.js').ProcessState} ProcessState */
/** @typedef {{ state: ProcessState, started?: number | bigint | null }} ProcessStatus */
/**
 * @typedef {{ tag: 'win32', val: { processSession?: number | null, consoleSession?: number | null, windowStation: boolean } }
 *   | { tag: 'linux', val: { auditSession?: number | null, runtimeFolderReadable: boolean } }
 *   | { tag: 'darwin' }} SessionFacts
 */

/**
 * A machine, real or on paper. Every method may throw a `Fault`, except `os`.
 * @typedef {object} Host
 * @property {() => OsFamily} os which system this is
 * @property {(name: string) => string} variable one environment variable, exactly as it stands
 * @property {(path: string) => Node} stat what a path leads to, links followed
 * @property {(folder: string, prefix: string) => string[]} list the names in a folder; those without the prefix may be left out
 * @property {(bundle: string) => Uint8Array} plist the bytes of `<bundle>/Contents/Info.plist`
 * @property {(path: string, offset: bigint, length: number) => Uint8Array} pe a range of a file that begins with `MZ`
 * @property {(hive: Hive, view: View, key: string, values: string[]) => Subkey[]} subkeys the keys below a registry key
 * @property {(path: string) => Contents} runtimeFile the runtime file at a path
 * @property {(pid: number) => ProcessStatus} process the process with a number between 1 and 2147483647
 * @property {() => SessionFacts} session the session that this process runs in
 */

/** Why a question has no answer: a fact about the machine, and no error of the host. */
export class Fault extends Error {
  /**
   * @param {FaultCode} code what the component decides on
   * @param {string} detail for people and traces; holds no content of a file
   */
  constructor(code, detail = '') {
    super(`${code}: ${detail}`);
    this.name = 'Fault';
    this.code = code;
    this.detail = detail;
  }
}
