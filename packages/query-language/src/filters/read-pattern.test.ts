import { describe, expect, test } from '@jest/globals';
import { readPattern } from './read-pattern.ts';

// Both lists were given to the match() of ClickHouse, whose RE2 takes the first and refuses the second.
describe('a regular expression', () => {
  test.each([
    '',
    '^(?:)*|^*$+',
    'plain ключ 🙂',
    '(?P<x>a)(?<y>b)',
    '(?i-s:a)(?U)b(?i)(?-i)',
    String.raw`\pL\p{Greek}\p{^Greek}\PN[\p{Cyrillic}\d]\p{Lu}`,
    String.raw`\Qa(\E\z\A\b\B\C\x{10FFFF}\x41\141\0\n`,
    String.raw`\_\.\-\"\'\ \/`,
    'a{,3}b{x}c{2',
    'a{2}?b+?c{3,}d{0,5}',
    '[]a][^]a][a-b-c][-a][a-]',
    String.raw`[\d-z][[:alpha:][:^digit:]][[.a.]][\x41-\x5a][\]\\]`,
    '((a|b)*c)?',
    String.raw`\Q(`,
  ])('%s compiles', (pattern) => expect(readPattern(pattern)).not.toHaveProperty('fault'));

  test.each([
    ['(?<=b)a', '(?<= begins no group'],
    ['(?x) a', '(?x) begins no group'],
    ['(?i', 'begins no group'],
    ['(?i-)a', 'begins no group'],
    ['(?P=x)', 'begins no group'],
    ['(?#c)', 'begins no group'],
    ['(?P<x>a)(?P<x>b)', 'two groups are named x'],
    ['a(', 'never closed'],
    ['a)', 'closes nothing'],
    ['a\\', 'ends with a backslash'],
    ['*a', '* repeats nothing'],
    ['(*)', '* repeats nothing'],
    ['a|*', '* repeats nothing'],
    ['a**', '* repeats a repetition'],
    ['a++', '+ repeats a repetition'],
    ['a{2}{3}', '{3} repeats a repetition'],
    ['a{1001}', 'number of times'],
    ['a{3,2}', 'number of times'],
    ['[a', 'never closed'],
    ['[z-a]', 'ends before it begins'],
    [String.raw`[a-\d]`, 'ends before it begins'],
    ['[[:foo:]]', '[:foo:] is no class'],
    [String.raw`[\b]`, String.raw`\b is not known`],
    [String.raw`\1(a)`, String.raw`\1 is not known`],
    [String.raw`\8`, String.raw`\8 is not known`],
    [String.raw`\p{Foo}`, 'is no class'],
    [String.raw`\p{Script=Greek}`, 'is no class'],
    [String.raw`\pl`, 'is no class'],
    [String.raw`\x4`, 'code of a character'],
    [String.raw`\x{110000}`, 'code of a character'],
    ...['y', 'Z', 'X', 'K', 'e', 'N', 'h', 'R', 'E', 'u0041', 'cA', 'é'].map((name) => [
      `\\${name}`,
      `\\${name.slice(0, 1)} is not known`,
    ]),
  ])('%s does not', (pattern, fault) => expect(readPattern(pattern).fault).toContain(fault));

  test.each([
    ['', 0],
    ['(a)((b)c)', 3],
    ['(?i)(?P<a>x)(?:y)(?<b>z)(?s:w)', 2],
    [String.raw`[(]\(\Q(\E[[:alpha:](][](]()`, 1],
  ])('%s has %d capturing groups', (pattern, groups) => expect(readPattern(pattern)).toEqual({ groups }));

  test('of any length takes time as its length', () => {
    const begun = performance.now();
    for (const part of ['(', '[a-', 'a{1', '(?P<x', '\\p{G', '[[:', '((a)*)*'])
      expect(readPattern(part.repeat(30_000))).toBeDefined();
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
