import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createRetry, StreamStoppedError, type EngineName } from './retry.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Reports while `work` is done. */
function reported() {
  const changes: [EngineName, string | null][] = [];
  const retry = createRetry({
    signal: new AbortController().signal,
    onHealthChange: (engine, error) => changes.push([engine, error?.message ?? null]),
    onSlow: (engine) => changes.push([engine, 'slow']),
    onStuck: (engine) => changes.push([engine, 'stuck']),
    isFinal: (error) => error instanceof Error && error.message === 'final',
  });
  return { changes, retry };
}

describe('createRetry: readiness must name the awaited engine (contract/capture 6.2)', () => {
  test('an engine that does not respond is reported long before its client gives up, and so is its recovery', async () => {
    const { changes, retry } = reported();
    let response: (value: string) => void = () => undefined;
    const done = retry('clickhouse', () => new Promise<string>((resolve) => (response = resolve)));
    await jest.advanceTimersByTimeAsync(9_999);
    expect(changes).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(changes).toEqual([['clickhouse', 'slow']]);
    response('there');
    expect(await done).toBe('there');
    expect(changes).toEqual([
      ['clickhouse', 'slow'],
      ['clickhouse', null],
    ]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(changes).toHaveLength(2);
  });

  test('the last error of an engine stays while the next attempt waits', async () => {
    const { changes, retry } = reported();
    const stopped = retry(
      'clickhouse',
      () => new Promise((_, reject) => setTimeout(() => reject(new Error('refused')), 9_500)),
    );
    void stopped.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(18_000);
    expect(changes).toEqual([['clickhouse', 'refused']]);
  });

  test('what ends the tries for good reports the engine healthy: readiness would speak of it for ever', async () => {
    const { changes, retry } = reported();
    const done = retry('postgres', (attempt) => Promise.reject(new Error(attempt === 0 ? 'away' : 'final')));
    void done.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(1_000);
    await expect(done).rejects.toThrow('final');
    expect(changes).toEqual([
      ['postgres', 'away'],
      ['postgres', null],
    ]);
  });

  test('failures are reported one by one, and the success after them; a success at once is not', async () => {
    const { changes, retry } = reported();
    const done = retry('postgres', (attempt) =>
      attempt < 2 ? Promise.reject(new Error(`no ${attempt}`)) : Promise.resolve(attempt),
    );
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await done).toBe(2);
    expect(await retry('postgres', () => Promise.resolve(1))).toBe(1);
    expect(changes).toEqual([
      ['postgres', 'no 0'],
      ['postgres', 'no 1'],
      ['postgres', null],
    ]);
  });

  test('a stream that is given up is left at the next failure, at once', async () => {
    const left = new AbortController();
    const retry = createRetry({ signal: left.signal, onHealthChange: () => undefined, isFinal: () => false });
    let tries = 0;
    const done = retry('postgres', () => Promise.reject(new Error(`away ${tries++}`)));
    void done.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(20_000);
    const before = tries;
    left.abort();
    await expect(done).rejects.toThrow(StreamStoppedError);
    expect(tries).toBe(before);
  });

  test('it tries for ever, 100 ms to 5 s apart: an engine that is back is found at once', async () => {
    const { retry } = reported();
    const triedAtMs: number[] = [];
    void retry('postgres', () => {
      triedAtMs.push(Date.now());
      return Promise.reject(new Error('away'));
    });
    await jest.advanceTimersByTimeAsync(3_600_000);
    const pauses = triedAtMs.slice(1).map((at, index) => at - (triedAtMs[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(75);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(6_250);
    expect(pauses.length).toBeGreaterThan(500);
  });

  /** An engine's answer, by the clock that the test turns. */
  const repliedAfter = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(() => resolve(), ms));

  /** Calls an engine so many times, with a sign of life before each; each takes so long. */
  const callsOf =
    (times: number, ms: number) =>
    async (_: number, alive: () => void): Promise<string> => {
      for (let time = 0; time < times; time++) {
        alive();
        await repliedAfter(ms);
      }
      return 'all';
    };

  test('work of many calls is neither slow nor stuck while each of them is answered in time', async () => {
    const { changes, retry } = reported();
    const done = retry('postgres', callsOf(50, 9_999));
    await jest.advanceTimersByTimeAsync(500_000);
    expect(await done).toBe('all');
    expect(changes).toEqual([]);
  });

  test('one slow call of many is reported, and that it was answered: the rest of the work is no failure of the engine', async () => {
    const { changes, retry } = reported();
    const done = retry('postgres', callsOf(2, 15_000));
    await jest.advanceTimersByTimeAsync(14_999);
    expect(changes).toEqual([['postgres', 'slow']]);
    await jest.advanceTimersByTimeAsync(1);
    expect(changes).toEqual([
      ['postgres', 'slow'],
      ['postgres', null],
    ]);
    await jest.advanceTimersByTimeAsync(15_000);
    expect(await done).toBe('all');
    expect(changes).toEqual([
      ['postgres', 'slow'],
      ['postgres', null],
      ['postgres', 'slow'],
      ['postgres', null],
    ]);
  });

  test('work of many calls is stuck when one of them is never answered', async () => {
    const { changes, retry } = reported();
    void retry('postgres', callsOf(2, 310_000));
    await jest.advanceTimersByTimeAsync(299_999);
    expect(changes).toEqual([['postgres', 'slow']]);
    await jest.advanceTimersByTimeAsync(1);
    expect(changes).toEqual([
      ['postgres', 'slow'],
      ['postgres', 'stuck'],
    ]);
  });
});
