import { expect, test } from '@jest/globals';
import { compileIndex } from '../index/compile-index.ts';
import { openIndex } from '../index/symbol-index.ts';
import { mapText } from '../testing/map-texts.ts';
import { rawFrame } from '../testing/raw-frames.ts';
import { contextOf, contextSent } from './source-context.ts';

const source = Array.from({ length: 40 }, (_, index) => `  line ${index + 1}`).join('\n');
const indexOf = (content: string) =>
  openIndex(compileIndex('', mapText({ sources: ['a'], sourcesContent: [content] })));
const numbers = (lines: readonly { number: number }[] = []): string =>
  `${lines[0]?.number}–${lines.at(-1)?.number} of ${lines.length}`;

test.each([
  [20, '5–19 of 15', '21–35 of 15'],
  [1, 'undefined–undefined of 0', '2–16 of 15'],
  [39, '24–38 of 15', '40–40 of 1'],
])('lines around line %d, in ascending order, with their indentation', (line, before, after) => {
  const context = contextOf(indexOf(source), 0, line);
  expect([numbers(context?.before), context?.line, numbers(context?.after)]).toEqual([
    before,
    { number: line, line: `  line ${line}` },
    after,
  ]);
});

test('a long line is cut, whatever its characters', () => {
  for (const character of ['x', 'ß', '€', '😀'])
    expect(contextOf(indexOf(character.repeat(2_000)), 0, 1)?.line.line).toBe(
      `${character.repeat(300 / character.length)}…`,
    );
});

test('a line that the text does not have has no context', () => {
  expect(contextOf(indexOf(source), 0, 41)).toBe(null);
});

test('lines that an SDK sent, numbered around its own', () => {
  const frame = rawFrame({ lineno: 20, pre_context: ['a', 'b'], context_line: 'c', post_context: ['d', 7, 'e'] });
  expect(contextSent(frame)).toEqual({
    before: [
      { number: 18, line: 'a' },
      { number: 19, line: 'b' },
    ],
    line: { number: 20, line: 'c' },
    after: [
      { number: 21, line: 'd' },
      { number: 22, line: 'e' },
    ],
  });
});

test('of many and long lines of an SDK as much is kept as of a map', () => {
  const many = Array.from({ length: 40 }, () => 'x'.repeat(1_000));
  const context = contextSent(rawFrame({ lineno: 50, pre_context: many, context_line: 'c', post_context: many }));
  expect([numbers(context?.before), numbers(context?.after), context?.after[0]?.line.length]).toEqual([
    '35–49 of 15',
    '51–65 of 15',
    301,
  ]);
});
