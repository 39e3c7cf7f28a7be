import { describe, expect, test } from '@jest/globals';
import { isPlainLine, plainLine } from './plain-line.ts';

describe('a plain line is what it looks like', () => {
  test.each<[string, string, string]>([
    ['a line end', 'Acme\n9. The Operator pays', 'Acme 9. The Operator pays'],
    ['a return', 'a\rb', 'a b'],
    ['a tab', 'a\tb', 'a b'],
    ['a NUL', 'a\0b', 'a b'],
    ['a next line of C1', 'a\u0085b', 'a b'],
    ['a line separator', 'a\u2028b', 'a b'],
    ['a paragraph separator', 'a\u2029\u2029b', 'a b'],
    ['an override of direction', 'gpj\u202eexe', 'gpjexe'],
    ['an isolate', 'a\u2067b\u2069', 'ab'],
    ['a mark of direction', 'a\u200fb\u061c', 'ab'],
    ['a blank of no width', 'a\u200bb\ufeff', 'ab'],
    ['a soft hyphen', 'a\u00adb', 'ab'],
    ['text in tags', `a${String.fromCodePoint(0xe0041)}b`, 'ab'],
    ['text in tags behind a flag', `\u{1f3f4}${'\u{e0061}'.repeat(7)}\u{e007f}`, '\u{1f3f4}'],
    ['a blank of no width beside one letter alone', '\u1780\u200b', '\u1780'],
    ['a separator of another script', 'a\u180eb', 'ab'],
  ])('%s is none', (_name, text, shown) => {
    expect([isPlainLine(text), plainLine(text)]).toEqual([false, shown]);
    expect(isPlainLine(plainLine(text))).toBe(true);
  });

  test.each([
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} Shop',
    'ក្រុម\u200bហ៊ុន\u200bថ្មី',
    'ᠮᠣᠩᠭᠣᠯ\u180eᠠ',
    'خدمات «نور»',
    'בע״מ',
    'ｆｕｌｌ　ｗｉｄｔｈ',
    'e\u0301',
    '❤️‍🔥',
  ])('%j of a script or an emoji that needs it is one', (text) => {
    expect([isPlainLine(text), plainLine(text)]).toEqual([true, text]);
  });

  test.each([
    'Žofie & Ἀθήνα <GmbH> {{operator}} "x"',
    '株式会社',
    'شرکت می\u200cخواهم',
    '👩\u200d🔬',
    'O\u2019Neil',
    'a\u00a0b',
    '',
  ])('%j is one', (text) => {
    expect([isPlainLine(text), plainLine(text)]).toEqual([true, text]);
  });
});
