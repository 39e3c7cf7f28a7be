import { describe, expect, test } from '@jest/globals';
import type { LogRecord } from '../event-log.ts';
import { RecordWindow } from './record-window.ts';

function records(...offsets: number[]): LogRecord[] {
  return offsets.map((offset) => ({ offset: BigInt(offset), appendedAtMs: 0, payload: Buffer.alloc(10) }));
}

function windowFrom(from: bigint, ...offsets: number[]): RecordWindow {
  const window = new RecordWindow();
  window.restart(from);
  window.add(records(...offsets));
  return window;
}

const offsetsOf = (taken: readonly LogRecord[]): number[] => taken.map(({ offset }) => Number(offset));

describe('a window on a partition', () => {
  test('reaches nothing before it was put somewhere', () => {
    expect(new RecordWindow().reaches(0n)).toBe(false);
  });

  test('returns about the requested bytes, at least one record, each once', () => {
    const window = windowFrom(5n, 5, 6, 7, 8);
    expect(offsetsOf(window.take(5n, 1))).toEqual([5]);
    expect(offsetsOf(window.take(6n, 25))).toEqual([6, 7]);
    expect(window.bytes).toBe(10);
    expect(offsetsOf(window.take(8n, 100))).toEqual([8]);
    expect(window.bytes).toBe(0);
  });

  test('reaches what it holds and what comes next; not what was taken, nor what lies further on', () => {
    const window = windowFrom(5n, 5, 6, 7);
    window.take(5n, 1);
    expect([5n, 6n, 7n, 8n, 9n].map((from) => window.reaches(from))).toEqual([false, true, true, true, false]);
  });

  test('passes over offsets that hold no record', () => {
    const window = windowFrom(3n, 6, 9);
    expect(window.reaches(4n)).toBe(true);
    expect(offsetsOf(window.take(4n, 100))).toEqual([6, 9]);
    expect(window.reaches(10n)).toBe(true);
  });

  test('skips what a reader leaves out', () => {
    const window = windowFrom(0n, 0, 1, 2);
    expect(offsetsOf(window.take(2n, 100))).toEqual([2]);
    expect(window.bytes).toBe(0);
  });

  test('put elsewhere it forgets what it held', () => {
    const window = windowFrom(0n, 0, 1);
    window.restart(1n);
    expect(window.bytes).toBe(0);
    expect(window.take(1n, 100)).toEqual([]);
    expect(window.reaches(0n)).toBe(false);
  });
});
