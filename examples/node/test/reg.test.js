import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseQuery } from '../src/reg.js';

const PATH = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall';
const printed = (...lines) => ['', ...lines, '', ''].join('\r\n');

test('keys and their values are taken from what reg.exe prints', () => {
  const text = printed(
    PATH,
    '    Odd    REG_SZ    a value of the key itself',
    '',
    `${PATH}\\Acme`,
    '    DisplayName    REG_SZ    Acme 2.3',
    '    Inst Location    REG_EXPAND_SZ    %ProgramFiles%\\Acme    and more',
    '    SystemComponent    REG_DWORD    0x1',
    '    Size    REG_QWORD    0x100000000',
    '    Icon    REG_BINARY    0102',
    '    Empty    REG_SZ    ',
    '    (Default)    REG_SZ    (value not set)',
    '',
    `${PATH}\\Acme\\Below`,
    '    DisplayName    REG_SZ    not asked',
    '',
    `${PATH.replace('SOFTWARE', 'Software')}\\{B}`,
  );
  const asked = ['displayname', 'Inst Location', 'SystemComponent', 'Size', 'Icon', 'Empty', 'Gone'];
  assert.deepEqual(parseQuery(text, PATH, asked), [
    {
      name: 'Acme',
      values: [
        { tag: 'text', val: 'Acme 2.3' },
        { tag: 'expandable-text', val: '%ProgramFiles%\\Acme    and more' },
        { tag: 'number', val: 1n },
        { tag: 'number', val: 1n << 32n },
        { tag: 'other' },
        { tag: 'text', val: '' },
        { tag: 'missing' },
      ],
    },
    { name: '{B}', values: asked.map(() => ({ tag: 'missing' })) },
  ]);
});

test('text that the code page may have changed is not passed on', () => {
  const text = printed(`${PATH}\\A`, '    DisplayName    REG_SZ    Caf\x82', '    Other    REG_SZ    what?');
  assert.deepEqual(parseQuery(text, PATH, ['DisplayName', 'Other'])[0].values, [{ tag: 'other' }, { tag: 'other' }]);
});

test('odd text is no key and no value', () => {
  for (const text of ['', 'HKEY_', '\r\n\r\n', `${PATH}\\`, '    x    REG_SZ    y', `${PATH}\\A\\B\r\n    x    REG_SZ    y`]) {
    assert.deepEqual(parseQuery(text, PATH, ['x']), []);
  }
  assert.deepEqual(parseQuery(`${PATH}\\A\r\n    x    REG_DWORD    zz`, PATH, ['x'])[0].values, [{ tag: 'other' }]);
});
