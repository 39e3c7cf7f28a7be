import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { none } from '../source-map/segments.ts';
import { lineSpans } from './line-spans.ts';

test.each([
  ['none', [], [[], []]],
  ['one that says no lines', [{ start: 0, end: 0 }], [[], []]],
  [
    'inlined methods, and a gap',
    [
      { start: 1, end: 3 },
      { start: 1, end: 3 },
      { start: 6, end: 6 },
    ],
    [
      [1, 4, 6, 7],
      [0, none, 2, none],
    ],
  ],
  [
    'a range around an earlier one',
    [
      { start: 4, end: 5 },
      { start: 0, end: 9 },
    ],
    [
      [0, 4, 6, 10],
      [1, 0, 1, none],
    ],
  ],
])('spans of %s', (_name, methods, [firstLines, indices]) => {
  expect(lineSpans(methods)).toEqual({ firstLines, indices });
});

test('a line is of the first method whose range contains it', () => {
  const range = fc.record({ start: fc.nat(12), end: fc.nat(12) });
  fc.assert(
    fc.property(fc.array(range, { maxLength: 12 }), (methods) => {
      const { firstLines, indices } = lineSpans(methods);
      for (let line = 0; line < 15; line++) {
        const first = methods.findIndex(({ start, end }) => end !== 0 && start <= line && line <= end);
        const span = firstLines.findLastIndex((firstLine) => firstLine <= line);
        expect(indices[span] ?? none).toBe(first === -1 ? none : first);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('100,000 ranges that all overlap make two spans each at most', () => {
  const methods = Array.from({ length: 100_000 }, (_, index) => ({ start: 100_000 - index, end: 100_000 + index }));
  const before = process.cpuUsage();
  expect(lineSpans(methods).firstLines).toHaveLength(200_000);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(5_000);
});
