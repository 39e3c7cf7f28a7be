import { describe, expect, test } from '@jest/globals';
import { asWords, isMailAddress, isSameAddress, mailboxOf, parseMailAddress } from './address.ts';

describe('isMailAddress', () => {
  test.each([
    'a@b.example',
    "o'brien+tag@mail.example.com",
    'root@localhost',
    `${'a'.repeat(64)}@example.com`,
    'ß@x'.replace('ß', 'ss'),
  ])('takes %s', (text) => {
    expect(isMailAddress(text)).toBe(true);
  });

  // Each of these would name a second receiver, end a header or be read as something else by a mail program.
  test.each([
    '',
    'a',
    'a@',
    '@b.example',
    'a@b@c.example',
    'a b@c.example',
    'a@b.example\r\nBcc: x@y.example',
    'a@b.example\n',
    'a@b.example,c@d.example',
    'Name <a@b.example>',
    '"a b"@c.example',
    'a@-b.example',
    'a@b..example',
    '.a@b.example',
    'a..b@c.example',
    'a@b.example\0',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(20)}`,
  ])('refuses %j', (text) => {
    expect(isMailAddress(text)).toBe(false);
  });
});

describe('parseMailAddress', () => {
  test('reads an address, with or without a name', () => {
    expect(parseMailAddress('a@b.example')).toEqual({ name: '', address: 'a@b.example' });
    expect(parseMailAddress('Mill <a@b.example>')).toEqual({ name: 'Mill', address: 'a@b.example' });
    expect(parseMailAddress('"Mill, race" <a@b.example>')).toEqual({ name: 'Mill, race', address: 'a@b.example' });
  });

  test.each(['Mill', 'Mill <a>', 'A\r\nB <a@b.example>', '<a@b.example> x'])('refuses %j', (text) => {
    expect(parseMailAddress(text)).toBeUndefined();
  });
});

test('words are one line, and break what looks like an address', () => {
  expect(asWords(' Join\r\nBcc: x@y.example\u2028now. Ann\u0085 ')).toBe('Join Bcc: x@\u200by.\u200bexample now. Ann');
});

test('the case of A to Z does not distinguish mailboxes, and no other letter is changed', () => {
  expect(isSameAddress('Ann.Kim@X.example', 'ann.kim@x.EXAMPLE')).toBe(true);
  for (const other of [
    'ann.\u212Aim@x.example',
    'ann.k\u0131m@x.example',
    'ann_kim@x.example',
    ' ann.kim@x.example',
    '',
  ])
    expect([other, isSameAddress('ann.kim@x.example', other)]).toEqual([other, false]);
});

test.each([
  ['Eve+one@X.example', 'eve@x.example'],
  ['eve+one+two@x.example', 'eve@x.example'],
  ['eve@x.example', 'eve@x.example'],
  ['+eve@x.example', '+eve@x.example'],
  ['e.v.e+one@Gmail.com', 'eve@gmail.com'],
  ['e.ve@x.example', 'e.ve@x.example'],
])('%s is the mailbox %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});
