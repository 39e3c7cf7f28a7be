import { describe, expect, test } from '@jest/globals';
import { caughtUpAtMs } from './catch-up.ts';

const load = { begunAtMs: 1_000, eventsPerSecond: 100, seconds: 20 };

describe('a backlog counts as caught up', () => {
  test('when all is there that was due two seconds before, and not a sample earlier', () => {
    const samples = [
      { atMs: 10_000, stored: 300 },
      { atMs: 12_000, stored: 899 },
      { atMs: 13_000, stored: 1_000 },
      { atMs: 14_000, stored: 1_100 },
    ];
    expect(caughtUpAtMs(samples, load, 9_000)).toBe(13_000);
    expect(caughtUpAtMs(samples.slice(0, 2), load, 9_000)).toBeNull();
  });

  test('not by what was there before the outage ended', () => {
    expect(
      caughtUpAtMs(
        [
          { atMs: 4_000, stored: 300 },
          { atMs: 10_000, stored: 300 },
        ],
        load,
        5_000,
      ),
    ).toBeNull();
  });

  test('when the load has ended: by all of it', () => {
    expect(
      caughtUpAtMs(
        [
          { atMs: 60_000, stored: 1_999 },
          { atMs: 61_000, stored: 2_000 },
        ],
        load,
        5_000,
      ),
    ).toBe(61_000);
  });
});
