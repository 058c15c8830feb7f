/** What `reg.exe query KEY /s` prints, taken apart. Runs on every system. */

/**
 * The keys directly below `path`, each with the values named.
 *
 * The program prints in the code page of the console. Text beyond ASCII can not be carried, nor can `?`, which stands for
 * what that code page lacks: such a value is `other`.
 *
 * @param {string} printed @param {string} path the key with its root in full @param {string[]} values
 * @returns {import('./host.js').Subkey[]}
 */
export function parseQuery(printed, path, values) {
  const below = `${path}\\`.toLowerCase();
  /** @type {Map<string, Map<string, import('./host.js').Value>>} */
  const keys = new Map();
  let current = /** @type {Map<string, import('./host.js').Value> | undefined} */ (undefined);
  for (const line of printed.split('\r\n')) {
    if (line.startsWith('HKEY_')) {
      const name = line.toLowerCase().startsWith(below) ? line.slice(below.length) : '';
      current = name === '' || name.includes('\\') ? undefined : new Map();
      if (current !== undefined) keys.set(name.replace(/[^\x20-\x7e]/g, '\ufffd'), current);
      continue;
    }
    const found = /^ {4}(.+?) {4}(REG_[A-Z_]+)(?: {4}(.*))?$/s.exec(line);
    if (found !== null) current?.set(found[1].toLowerCase(), value(found[2], found[3] ?? ''));
  }
  return [...keys].map(([name, held]) => ({
    name,
    values: values.map((asked) => held.get(asked.toLowerCase()) ?? { tag: 'missing' }),
  }));
}

/** @param {string} kind @param {string} data @returns {import('./host.js').Value} */
function value(kind, data) {
  if (kind === 'REG_DWORD' || kind === 'REG_QWORD') {
    return /^0x[0-9a-f]{1,16}$/i.test(data) ? { tag: 'number', val: BigInt(data) } : { tag: 'other' };
  }
  const carried = /^[\x20-\x3e\x40-\x7e]*$/.test(data);
  if (kind === 'REG_SZ' && carried) return { tag: 'text', val: data };
  if (kind === 'REG_EXPAND_SZ' && carried) return { tag: 'expandable-text', val: data };
  return { tag: 'other' };
}
