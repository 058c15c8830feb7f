/** Keeping tokens out of logs. */

const MASK = '***';
const MAX_SECRETS = 4096;

/**
 * Masks every known secret in what is written to the given streams.
 *
 * ```js
 * const redactor = new Redactor(process.stdout, process.stderr);
 * const gate = new Gate({ redactor: (secret) => redactor.redact(secret) });
 * ```
 *
 * A logger that writes to a file or a socket of its own passes its lines through `mask`. A secret that is written in two
 * pieces is not seen.
 */
export class Redactor {
  #secrets = /** @type {string[]} */ ([]);
  #guarded;

  /** @param {{ write: Function }[]} streams */
  constructor(...streams) {
    this.#guarded = streams.length > 0;
    for (const stream of streams) {
      const write = stream.write;
      stream.write = (/** @type {unknown} */ chunk, /** @type {unknown[]} */ ...rest) =>
        write.call(stream, this.#masked(chunk), ...rest);
    }
  }

  /**
   * Takes a secret; false where no stream is guarded or 4,096 secrets are known already, and so nothing is promised.
   * @param {string} secret
   */
  redact(secret) {
    if (!this.#guarded) return false;
    if (this.#secrets.includes(secret)) return true;
    if (this.#secrets.length >= MAX_SECRETS) return false;
    this.#secrets.push(secret);
    // The longest first: a secret may hold another.
    this.#secrets.sort((one, other) => other.length - one.length);
    return true;
  }

  /** The text without any known secret. @param {string} text */
  mask(text) {
    return this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
  }

  /** @param {unknown} chunk */
  #masked(chunk) {
    if (typeof chunk === 'string') return this.mask(chunk);
    // Tokens are ASCII, so bytes can be looked through one character each without harm to what is not ASCII.
    if (chunk instanceof Uint8Array && this.#secrets.length > 0) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
      return Buffer.from(this.mask(bytes), 'latin1');
    }
    return chunk;
  }
}
