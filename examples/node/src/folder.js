/**
 * A package's folder: what is in it, and the beginnings of its files. Nothing here is a rule.
 *
 * Links are not followed while a folder is listed; where each leads is told by comparing resolved paths.
 */

import * as fs from 'node:fs';
import { dirname, join, sep } from 'node:path';

import { PackageError } from './errors.js';

/** @typedef {import('../generated/packages/interfaces/appdecl-gate-packages.js').Entry} Entry */
/** @typedef {import('../generated/packages/interfaces/appdecl-gate-packages.js').FileData} FileData */
/** @typedef {import('../generated/packages/interfaces/appdecl-gate-packages.js').Link} Link */
/** @typedef {import('../generated/packages/interfaces/appdecl-gate-packages.js').Listing} Listing */

// As many as the contract says (wit/gate/packages.wit), and so much text of paths as the component has memory for.
const MOST_ENTRIES = 100_000;
const MOST_PATH_BYTES = 12 * 1024 * 1024;
// So many links one behind the other are followed to tell a circle from a link to nothing. Systems allow 40.
const MOST_LINKS = 64;

/** A folder whose real path is known. Throws `PackageError` where it is not there or may not be looked at. */
export class Folder {
  #shown;
  #real;

  /** @param {string} shown */
  constructor(shown) {
    this.#shown = shown;
    try {
      this.#real = fs.realpathSync.native(shown);
    } catch (error) {
      throw unreadable(shown, error);
    }
  }

  /**
   * What is in the folder, and everything below it or not. What disappears meanwhile is left out.
   * @param {{ below?: boolean }} [options] @returns {Listing}
   */
  list({ below = true } = {}) {
    const entries = /** @type {Entry[]} */ ([]);
    let pathBytes = 0;
    const waiting = [''];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const name of this.#names(folder)) {
        const entry = this.#entry(folder, name);
        if (entry === undefined) continue;
        pathBytes += Buffer.byteLength(entry.path);
        if (entries.length === MOST_ENTRIES || pathBytes > MOST_PATH_BYTES) return { entries: [], truncated: true };
        // A name that is no text can not be asked for, nor what lies below it.
        if (below && entry.kind === 'folder' && entry.link === undefined && entry.exact) waiting.push(entry.path);
        entries.push(entry);
      }
    }
    return { entries, truncated: false };
  }

  /**
   * At most `limit` bytes from the beginning of a regular file in the folder, or the code of why there are none.
   * @param {string} path @param {number} limit @returns {FileData}
   */
  read(path, limit) {
    const unreadable = (/** @type {string} */ code) => /** @type {FileData} */ ({ tag: 'unreadable', val: code });
    let file;
    try {
      const real = fs.realpathSync.native(join(this.#real, path));
      if (this.#inside(real) === undefined) return unreadable('refused');
      // A pipe is not even opened: it could have somebody at its other end.
      if (!fs.lstatSync(real).isFile()) return unreadable('not-regular');
      const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = fs.constants;
      file = fs.openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
      const stats = fs.fstatSync(file);
      if (!stats.isFile()) return unreadable('not-regular');
      const content = Buffer.alloc(Math.min(limit, stats.size));
      let length = 0;
      for (let read = 1; read > 0 && length < content.length; length += read) {
        read = fs.readSync(file, content, length, content.length - length, null);
      }
      return { tag: 'bytes', val: content.subarray(0, length) };
    } catch (error) {
      const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
      return unreadable(code === 'ENOENT' ? 'absent' : code === 'EACCES' || code === 'EPERM' ? 'denied' : 'io');
    } finally {
      if (file !== undefined) fs.closeSync(file);
    }
  }

  /** @param {string} folder */
  *#names(folder) {
    try {
      const names = fs.opendirSync(join(this.#real, folder), { encoding: /** @type {any} */ ('buffer') });
      try {
        for (let entry = names.readSync(); entry !== null; entry = names.readSync()) {
          yield /** @type {Buffer} */ (/** @type {unknown} */ (entry.name));
        }
      } finally {
        names.closeSync();
      }
    } catch (error) {
      if (folder !== '' && /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return;
      throw unreadable(join(this.#shown, folder), error);
    }
  }

  /** @param {string} folder @param {Buffer} bytes @returns {Entry | undefined} */
  #entry(folder, bytes) {
    const name = bytes.toString();
    const exact = Buffer.from(name).equals(bytes);
    const at = Buffer.concat([Buffer.from(join(this.#real, folder) + sep), bytes]);
    let stats = fs.lstatSync(at, { throwIfNoEntry: false, bigint: true });
    if (stats === undefined) return undefined;
    let link;
    if (stats.isSymbolicLink()) {
      link = this.#follow(at);
      stats = attempt(() => fs.statSync(at, { bigint: true }));
    }
    const kind = stats?.isDirectory() ? 'folder' : stats?.isFile() ? 'file' : 'other';
    return { path: folder === '' ? name : `${folder}/${name}`, exact, kind, size: stats?.isFile() ? stats.size : 0n, link };
  }

  /** Where a link leads. @param {Buffer} link @returns {Link} */
  #follow(link) {
    const real = attempt(() => fs.realpathSync.native(link));
    if (real === undefined) return { tag: isCircle(link) ? 'circle' : 'nowhere' };
    const inside = this.#inside(real);
    return inside === undefined ? { tag: 'outside' } : { tag: 'inside', val: inside };
  }

  /**
   * The path of a thing as listings write it, by its resolved path; undefined where it is out of the folder.
   * @param {string} real
   */
  #inside(real) {
    if (real === this.#real) return '';
    const root = this.#real.endsWith(sep) ? this.#real : this.#real + sep;
    return real.startsWith(root) ? real.slice(root.length).replaceAll(sep, '/') : undefined;
  }
}

/** @param {Buffer} link */
function isCircle(link) {
  let at = link;
  for (let followed = 0; followed < MOST_LINKS; followed += 1) {
    const target = attempt(() => fs.readlinkSync(at, { encoding: 'buffer' }));
    if (target === undefined) return false;
    const absolute = target[0] === 0x2f || process.platform === 'win32';
    at = absolute ? target : Buffer.concat([Buffer.from(dirname(at.toString()) + sep), target]);
  }
  return true;
}

/** @template T @param {() => T} call */
function attempt(call) {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** @param {string} path @param {unknown} error */
function unreadable(path, error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  const why = code === 'ENOENT' ? 'does not exist' : `can not be read: ${message}`;
  return new PackageError(`\`${path}\` ${why}`, { cause: error });
}
