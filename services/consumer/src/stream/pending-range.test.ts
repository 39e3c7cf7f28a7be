import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { movesMax, noMoves } from './moves.ts';
import { decodePendingRange, encodePendingRange, PendingRangeError } from './pending-range.ts';

test('what was pending can be read again, whatever the offsets', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n }), fc.bigInt({ min: 0n, max: 10n ** 6n }), (first, length) => {
      const range = { first, last: first + length };
      expect(decodePendingRange(encodePendingRange(range))).toEqual(range);
    }),
  );
  expect(decodePendingRange(encodePendingRange(null))).toBeNull();
});

test('which events leave the batch can be read again, of as many projects as may be, within the bytes that a commit has', () => {
  const huge = 2n ** 63n;
  const moves = new Map(
    Array.from({ length: movesMax }, (_, project) => [
      2 ** 31 - 1 - project,
      { offset: huge + BigInt(project), index: 65_535 },
    ]),
  );
  const text = encodePendingRange({ first: huge, last: huge + 99n, moves });
  expect(decodePendingRange(text)).toEqual({ first: huge, last: huge + 99n, moves });
  expect(text.length).toBeLessThan(4_000);
  expect(encodePendingRange({ first: 1n, last: 2n, moves: noMoves })).toBe('pending:1-2');
});

test.each([
  'x',
  'pending:5',
  'pending:1-2;moved:',
  'pending:1-2;moved:7@1',
  'pending:1-2;moved:7@1.2,',
  'pending:1-2;moved:7@1.2,,8@1.2',
  'pending:7-6',
  'pending:1-2 ',
  'done:1-2',
])('invalid metadata is recognized: %s', (metadata) => {
  expect(() => decodePendingRange(metadata)).toThrow(PendingRangeError);
});
