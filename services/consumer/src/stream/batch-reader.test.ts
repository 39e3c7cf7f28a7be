import { describe, expect, test } from '@jest/globals';
import { waitForMs } from './batch-reader.ts';

const limits = { rowsMax: 100, bytesMax: 1000, lingerMs: 100, intervalMs: 750 };
const some = { rows: 5, bytes: 50, firstAtMs: 10_000, lastTakenAtMs: -Infinity };

describe('waitForMs: batches grow with the load, and a lone event is visible soon', () => {
  test.each([
    ['a lone event waits only the linger', some, 10_000, 100],
    ['then it goes', some, 10_100, 0],
    ['in a busy stream batches are an interval apart', { ...some, lastTakenAtMs: 9_900 }, 10_100, 550],
    ['but not longer', { ...some, lastTakenAtMs: 9_900 }, 10_650, 0],
    ['a full batch goes at once: rows', { ...some, rows: 100, lastTakenAtMs: 9_999 }, 10_000, 0],
    ['a full batch goes at once: bytes', { ...some, bytes: 1000, lastTakenAtMs: 9_999 }, 10_000, 0],
  ])('%s', (_name, gathered, nowMs, expected) => {
    expect(waitForMs(gathered, limits, nowMs)).toBe(expected);
  });
});
