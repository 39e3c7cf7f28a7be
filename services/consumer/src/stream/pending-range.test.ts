import { expect, test } from '@jest/globals';
import fc from 'fast-check';
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

test.each(['x', 'pending:5', 'pending:7-6', 'pending:1-2 ', 'done:1-2'])('strange metadata is said to be strange: %s', (metadata) => {
  expect(() => decodePendingRange(metadata)).toThrow(PendingRangeError);
});
