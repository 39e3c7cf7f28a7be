import { describe, expect, test } from '@jest/globals';
import { hasEnded, outlivedEnd } from './ends.ts';

describe('the end of a key or a token', () => {
  test.each([
    [null, false],
    [1_001, false],
    [1_000, true],
    [999, true],
  ])('%s, at 1000: over %s', (expiresAtMs, expected) => expect(hasEnded({ expiresAtMs }, 1_000)).toBe(expected));

  const [early, late] = [new Date(1_000), new Date(1_001)];
  test.each([
    [null, null, undefined],
    [null, late, undefined],
    [late, early, undefined],
    [early, new Date(1_000), undefined],
    [early, late, early],
    [early, null, early],
  ])('made by what ends at %p, what ends at %p outlives %p', (maker, made, expected) =>
    expect(outlivedEnd(maker, made)).toBe(expected),
  );
});
