import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { columnPattern } from './column-pattern.ts';
import { SpanError } from '../../query-error.ts';

const span = { start: 0, end: 0 };
const matches = (pattern: string, name: string): boolean => columnPattern(pattern, span).matches(name);

// Patterns of what both dialects share, few levels deep.
const patterns = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(
      'a',
      'b',
      '_',
      '.',
      '[ab]',
      '[^a]',
      '[a-c_]',
      String.raw`\d`,
      String.raw`\w`,
      String.raw`\W`,
      String.raw`\.`,
      '(?:^)',
      '(?:$)',
      '()',
    ),
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})`),
  ),
  pattern: fc.oneof(
    { maxDepth: 2 },
    fc
      .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '{2}', '{0}', '{1,3}', '{2,}', '*?')), {
        maxLength: 4,
      })
      .map((parts) => parts.map((part) => part.join('')).join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('|')),
  ),
})).pattern;
const names = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_', '.', '1', 'A'), maxLength: 6 });

describe('the pattern of COLUMNS', () => {
  test('matches the names that a regular expression matches', () => {
    fc.assert(
      fc.property(
        patterns.filter((pattern) => pattern.length <= 60),
        names,
        (pattern, name) => {
          expect([pattern, name, matches(pattern, name)]).toEqual([pattern, name, new RegExp(pattern).test(name)]);
        },
      ),
      { numRuns: 3_000, seed: 7 },
    );
  });

  test.each([
    ['(?i)^EVENT$', 'event', true],
    ['(?i)[^e]', 'E', false],
    ['[]a]', ']', true],
    ['[a-]', '-', true],
    [String.raw`[\d-x]`, '-', true],
    ['a{', 'a{', true],
    ['x{1,', 'x{1,', true],
    ['', 'anything', true],
    ['$session_id', '$session_id', false],
    [String.raw`\$session_id`, '$session_id', true],
  ])('%s on %s: %s', (pattern, name, found) => expect(matches(pattern, name)).toBe(found));

  test.each([
    '(a',
    'a)',
    '[a',
    'a**',
    '*a',
    'a{2}{3}',
    'a{3,2}',
    'a{101}',
    String.raw`(a)\1`,
    String.raw`\bx`,
    '(?=a)',
    '(?<n>a)',
    '[b-a]',
    String.raw`[\D]`,
    '\\',
    'a'.repeat(201),
    '(((a{99}){99}){99})',
  ])('is refused: %s', (pattern) => {
    expect(() => columnPattern(pattern, span)).toThrow(SpanError);
  });

  // Each level goes a hundred times through the one inside it: without an end, and one such pattern holds a process up.
  test.each(['(a{0})', '()', '((?:)b{0})', '(){5}'])('%s has no steps, however often it is repeated', (nothing) => {
    const nested = `${'('.repeat(20)}${nothing}${'){100}'.repeat(20)}`;
    const pattern = columnPattern(`^${nested}b$`, span);
    expect(['b', '', 'ab'].map((name) => pattern.matches(name))).toEqual([true, false, false]);
    expect(pattern.stepsFor('b')).toBeLessThan(20);
  });

  test('takes no more than its steps, whatever it is', () => {
    const pattern = columnPattern('(((a*)*)*|(a|a)*)*b', span);
    const name = 'a'.repeat(20_000);
    const before = process.cpuUsage();
    expect(pattern.matches(name)).toBe(false);
    const { user, system } = process.cpuUsage(before);
    expect(pattern.stepsFor(name)).toBeLessThan(1_000_000);
    expect((user + system) / 1000).toBeLessThan(400);
  });
});
