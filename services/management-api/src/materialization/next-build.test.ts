import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { secondsToNextBuild, secondsToRetry, shareOfWindow } from './next-build.ts';

describe('the next build', () => {
  test('begins at 80 to 90 % of the window, so that runs never meet a table that is too old', () => {
    for (const versionId of Array.from({ length: 100 }, () => randomUUID())) {
      const seconds = secondsToNextBuild(versionId, { freshnessSeconds: 86_400, tookSeconds: 0 });
      expect(seconds).toBeGreaterThanOrEqual(0.8 * 86_400);
      expect(seconds).toBeLessThan(0.9 * 86_400);
    }
  });

  test('of a thousand versions that were made together is spread: no tenth of the spread has twice its share', () => {
    const counts = new Array<number>(10).fill(0);
    for (let version = 0; version < 1_000; version++) {
      const tenth = Math.floor((shareOfWindow(`version ${version}`) - 0.8) * 100);
      counts[tenth] = (counts[tenth] ?? 0) + 1;
    }
    expect(Math.max(...counts)).toBeLessThan(200);
  });

  test('is the same for one version, and earlier by as long as the last one took, at most by a quarter of the window', () => {
    const at = (tookSeconds: number): number => secondsToNextBuild('v', { freshnessSeconds: 1_000, tookSeconds });
    expect(at(30)).toBe(at(0) - 30);
    expect(at(5_000)).toBe(at(0) - 250);
    expect(at(0)).toBe(at(0));
  });

  test('never comes at once, however small the window', () => {
    expect(secondsToNextBuild('v', { freshnessSeconds: 0, tookSeconds: 9 })).toBe(10);
  });
});

test('builds are tried again ever later, and at least every ten minutes', () => {
  expect([0, 1, 2, 5, 6, 100].map(secondsToRetry)).toEqual([10, 20, 40, 320, 600, 600]);
});
