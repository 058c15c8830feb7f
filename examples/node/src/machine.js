/**
 * The machine that this program runs on: Linux, macOS or Windows.
 *
 * Nothing here is a rule, and nothing is written or signalled. The one program that is started is `reg.exe query`, on
 * Windows alone. Each answer is read anew.
 */

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';

import { Fault } from './host.js';
import { parseQuery } from './reg.js';

/** @typedef {import('./host.js').Host} Host */

const WINDOWS = process.platform === 'win32';
const UNINSTALL = 'software\\microsoft\\windows\\currentversion\\uninstall';
/** @type {import('./host.js').ProcessStatus} */
const ABSENT = { state: 'absent' };
// Ticks of a second in /proc. Node can not ask; it is 100 on every system that Node runs on.
const TICKS = 100;

/** @implements {Host} */
export class Machine {
  os() {
    const system = process.platform;
    if (system === 'win32' || system === 'darwin' || system === 'linux') return system;
    throw new Error(`appdecl knows win32, darwin and linux, and this is ${system}`);
  }

  /** @param {string} name */
  variable(name) {
    // Names with `=` would be answers to a question nobody asked: Windows keeps a folder under `=C:`.
    const asked = name !== '' && !/[=\0]/.test(name) && Object.hasOwn(process.env, name);
    const value = asked ? process.env[name] : undefined;
    if (value === undefined) throw new Fault('absent', 'the variable is not set');
    // Node puts U+FFFD where a value is no UTF-8, and so can not be told from one that holds it.
    if (!value.isWellFormed() || value.includes('\ufffd')) throw new Fault('unsupported', 'the value is not Unicode text');
    return value;
  }

  /** @param {string} path @returns {import('./host.js').Node} */
  stat(path) {
    const native = nativePath(path);
    const stats = asked(() => fs.statSync(native));
    if (!stats.isFile()) return { kind: stats.isDirectory() ? 'folder' : 'other', executable: false };
    return { kind: 'file', executable: !WINDOWS && mayExecute(native) };
  }

  /** @param {string} folder @param {string} prefix */
  list(folder, prefix) {
    const native = nativePath(folder);
    if (!asked(() => fs.statSync(native)).isDirectory()) throw new Fault('not-regular', 'this is not a folder');
    const names = [];
    const entries = asked(() => fs.opendirSync(native, { encoding: /** @type {any} */ ('buffer') }));
    try {
      for (let entry = asked(() => entries.readSync()); entry !== null; entry = asked(() => entries.readSync())) {
        const name = decoded(/** @type {unknown} */ (entry.name));
        // On systems where case does not count the component sorts it out: the prefix is a hint.
        if (name !== undefined && (process.platform !== 'linux' || name.startsWith(prefix))) names.push(name);
        if (names.length > 65_536) throw new Fault('too-large', 'the folder holds more than 65536 such names');
      }
    } finally {
      entries.closeSync();
    }
    return names;
  }

  /** @param {string} bundle */
  plist(bundle) {
    const separator = WINDOWS ? '\\' : '/';
    return opened([bundle, 'Contents', 'Info.plist'].join(separator), (file) => {
      const content = upTo(file, 0n, 1024 * 1024 + 1);
      if (content.length > 1024 * 1024) throw new Fault('too-large', 'Info.plist is larger than 1 MiB');
      return content;
    });
  }

  /** @param {string} path @param {bigint} offset @param {number} length */
  pe(path, offset, length) {
    return opened(path, (file) => {
      if (upTo(file, 0n, 2).toString('latin1') !== 'MZ') throw new Fault('refused', 'the file does not begin with `MZ`');
      return upTo(file, offset, Math.min(length, 65_536));
    });
  }

  /**
   * @param {import('./host.js').Hive} hive @param {import('./host.js').View} view @param {string} key
   * @param {string[]} values
   */
  subkeys(hive, view, key, values) {
    if (!WINDOWS) throw new Fault('unsupported', 'there is a registry on Windows alone');
    if (key.toLowerCase() !== UNINSTALL) throw new Fault('refused', 'this host answers for the uninstall entries alone');
    const path = `${hive === 'local-machine' ? 'HKEY_LOCAL_MACHINE' : 'HKEY_CURRENT_USER'}\\${key}`;
    const program = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`;
    try {
      const text = execFileSync(program, ['query', path, '/s', view === 'bits64' ? '/reg:64' : '/reg:32'], {
        encoding: 'latin1', maxBuffer: 32 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'], timeout: 30_000, windowsHide: true,
      });
      return parseQuery(text, path, values);
    } catch (error) {
      // It says why in the user's language alone.
      if (/** @type {any} */ (error).status === 1) throw new Fault('absent', 'reg.exe found no such key');
      throw new Fault('io', 'reg.exe could not be asked');
    }
  }

  /** @param {string} path @returns {import('./host.js').Contents} */
  runtimeFile(path) {
    return opened(path, (file, stats) => {
      const content = upTo(file, 0n, 65_537);
      const large = content.length > 65_536;
      const modified = stats.mtimeNs / 1_000_000n;
      const { getuid, geteuid, getgid, getegid } = process;
      return {
        size: large ? Math.max(Number(stats.size), 65_537) : content.length,
        bytes: large ? new Uint8Array() : content,
        modified: modified > 0n ? modified : 0n,
        owner: WINDOWS ? null : principal(stats.uid, geteuid?.(), getuid?.()),
        group: WINDOWS ? null : principal(stats.gid, getegid?.(), getgid?.()),
        mode: WINDOWS ? null : Number(stats.mode) & 0o7777,
      };
    });
  }

  /** @param {number} pid */
  process(pid) {
    // Windows counts them in fours, and rounds others down.
    if (WINDOWS && pid % 4 !== 0) return ABSENT;
    return (process.platform === 'linux' ? linuxProcess(pid) : undefined) ?? signalled(pid);
  }

  /** @returns {import('./host.js').SessionFacts} */
  session() {
    if (process.platform === 'darwin') return { tag: 'darwin' };
    if (WINDOWS) throw new Fault('unsupported', 'Node can not ask for the session of a process');
    const written = attempt(() => fs.readFileSync('/proc/self/sessionid', 'latin1'));
    const auditSession = written !== undefined && /^\d{1,10}\s*$/.test(written) ? Number(written) : null;
    const folder = `/run/user/${process.geteuid?.()}`;
    const runtimeFolderReadable = attempt(() => fs.opendirSync(folder).closeSync() ?? true) ?? false;
    return { tag: 'linux', val: { auditSession, runtimeFolderReadable } };
  }
}

/** The path as the system takes it literally; `refused` where it is relative or names a network or a device. */
function nativePath(/** @type {string} */ path) {
  const segments = path.split(WINDOWS ? /[\\/]/ : '/');
  if ([...path].length > 4096 || /[\0-\x1f\x7f-\x9f]/.test(path) || segments.includes('..')) {
    throw new Fault('refused', 'the path is too long, climbs, or holds a control character');
  }
  if (!WINDOWS) {
    if (!path.startsWith('/')) throw new Fault('refused', 'the path does not begin with `/`');
    return path;
  }
  if (!/^[A-Za-z]:[\\/][^:]*$/.test(path)) {
    throw new Fault('refused', 'the path does not begin with a drive such as `C:\\`, or names a stream');
  }
  const rest = segments.slice(1).filter((segment) => segment !== '' && segment !== '.');
  const end = rest.length === 0 || segments.at(-1) === '' ? '\\' : '';
  return `\\\\?\\${[segments[0], ...rest].join('\\')}${end}`;
}

/**
 * Opens a regular file for reading, without waiting for anybody, and closes it after the work.
 * @template T @param {string} path @param {(file: number, stats: fs.BigIntStats) => T} work @returns {T}
 */
function opened(path, work) {
  const native = nativePath(path);
  const regular = (/** @type {fs.BigIntStats} */ stats) => {
    if (!stats.isFile()) throw new Fault('not-regular', 'this is not a regular file');
    return stats;
  };
  // To open a pipe or a device can already act on it.
  regular(asked(() => fs.statSync(native, { bigint: true })));
  const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = fs.constants;
  const file = asked(() => fs.openSync(native, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  try {
    return work(file, regular(asked(() => fs.fstatSync(file, { bigint: true }))));
  } finally {
    fs.closeSync(file);
  }
}

/** @param {number} file @param {bigint} offset @param {number} limit */
function upTo(file, offset, limit) {
  const content = Buffer.alloc(limit);
  let length = 0;
  // No file reaches beyond the signed offsets of the systems' own calls.
  for (let read = 1; read > 0 && length < limit && offset < 1n << 62n; length += read) {
    read = asked(() => fs.readSync(file, content, length, limit - length, offset + BigInt(length)));
  }
  return content.subarray(0, length);
}

/** What a call of the system answers, or the fault that its error stands for. @template T @param {() => T} call */
function asked(call) {
  try {
    return call();
  } catch (error) {
    throw fault(/** @type {NodeJS.ErrnoException} */ (error));
  }
}

/** @template T @param {() => T} call */
function attempt(call) {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** @param {NodeJS.ErrnoException} error */
function fault({ code = '' }) {
  if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code)) return new Fault('absent', code);
  if (['EACCES', 'EPERM'].includes(code)) return new Fault('denied', code);
  if (['EAGAIN', 'ETXTBSY', 'EBUSY'].includes(code)) return new Fault('locked', code);
  return new Fault('io', code);
}

/** The rights of the real user, who is the effective one unless a program changes it: Node asks by access(2). */
function mayExecute(/** @type {string} */ native) {
  return attempt(() => fs.accessSync(native, fs.constants.X_OK) ?? true) ?? false;
}

/** @param {bigint} id @param {(number | undefined)[]} own @returns {import('./host.js').Principal} */
function principal(id, ...own) {
  if (own.includes(Number(id))) return 'this-user';
  return id === 0n ? 'root' : 'other';
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @param {unknown} name */
function decoded(name) {
  if (typeof name === 'string') return name.isWellFormed() ? name : undefined;
  return attempt(() => utf8.decode(/** @type {Uint8Array} */ (name)));
}

/** @param {number} pid @returns {import('./host.js').ProcessStatus | undefined} */
function linuxProcess(pid) {
  const line = attempt(() => fs.readFileSync(`/proc/${pid}/stat`, 'latin1'));
  const status = attempt(() => fs.readFileSync(`/proc/${pid}/status`, 'latin1'));
  if (line === undefined || status === undefined) return undefined;
  // The numbers of threads lead into /proc too.
  if (Number(/^Tgid:\s*(\d+)/m.exec(status)?.[1]) !== pid) return ABSENT;
  // The name in brackets may hold anything: what comes after its last bracket counts (proc_pid_stat(5)).
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const ended = 'ZXx'.includes(fields[0]) && Number(fields[17]) <= 1;
  const uptime = attempt(() => Number(fs.readFileSync('/proc/uptime', 'latin1').split(' ')[0]));
  const started = uptime && Math.floor(Date.now() - uptime * 1000 + (Number(fields[19]) * 1000) / TICKS);
  return { state: ended ? 'zombie' : 'running', started: started ?? null };
}

/** Signal 0 sends nothing: it tells whether a process is there. @param {number} pid @returns {import('./host.js').ProcessStatus} */
function signalled(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return ABSENT;
    throw fault(/** @type {NodeJS.ErrnoException} */ (error));
  }
  return { state: 'running' };
}
