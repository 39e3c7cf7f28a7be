import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { QueryClickhouse } from '../duplicates/stored-events.ts';
import { createEventParts } from './event-parts.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const second = 1_000;

function watched(responses: (number | Error)[]) {
  const received: unknown[] = [];
  const query = (() => {
    const response = responses.length > 1 ? responses.shift() : responses[0];
    return response instanceof Error ? Promise.reject(response) : Promise.resolve([{ parts: response }]);
  }) as QueryClickhouse;
  const parts = createEventParts(query, {
    max: 100,
    everyMs: second,
    waitMsMax: 60 * second,
    onCount: (count) => void received.push(count),
    onChange: (areMany, count) => void received.push([areMany, count]),
    onLost: (error) => void received.push((error as Error).message),
  });
  parts.start();
  return { parts, received };
}

/** After how many seconds it resolves, at most 1,000. */
async function secondsOf(wait: Promise<void>): Promise<number> {
  let isOver = false;
  void wait.then(() => (isOver = true));
  for (let waited = 0; waited < 1_000; waited++) {
    await jest.advanceTimersByTimeAsync(0);
    if (isOver) return waited;
    await jest.advanceTimersByTimeAsync(second);
  }
  return Infinity;
}

test('writers of old months wait while there are too many parts; the log reports start and end of the wait', async () => {
  const { parts, received } = watched([100, 101, 250, 100]);
  await jest.advanceTimersByTimeAsync(0);
  expect([parts.areMany(), await secondsOf(parts.few(new AbortController().signal))]).toEqual([false, 0]);
  await jest.advanceTimersByTimeAsync(second);
  expect(parts.areMany()).toBe(true);
  expect(await secondsOf(parts.few(new AbortController().signal))).toBeGreaterThan(0);
  expect(received.slice(0, 6)).toEqual([100, 101, [true, 101], 250, 100, [false, 100]]);
  await parts.stop();
});

test('when the parts never become fewer, a waiting batch continues after a time; a batch that must leave does not wait', async () => {
  const { parts } = watched([5_000]);
  await jest.advanceTimersByTimeAsync(0);
  expect(await secondsOf(parts.few(new AbortController().signal))).toBe(60);
  const leaving = new AbortController();
  setTimeout(() => leaving.abort(), 3 * second);
  expect(await secondsOf(parts.few(leaving.signal))).toBe(3);
  expect(await secondsOf(parts.few(AbortSignal.abort()))).toBe(0);
  await parts.stop();
});

test('while ClickHouse does not respond, its last response counts; the log reports that once', async () => {
  const away = new Error('away');
  const { parts, received } = watched([200, away, away, 50]);
  await jest.advanceTimersByTimeAsync(2 * second);
  expect(parts.areMany()).toBe(true);
  await jest.advanceTimersByTimeAsync(second);
  expect(parts.areMany()).toBe(false);
  expect(received).toEqual([200, [true, 200], 'away', 50, [false, 50]]);
  await parts.stop();
});
