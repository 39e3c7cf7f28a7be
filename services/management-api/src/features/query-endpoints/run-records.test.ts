import { describe, expect, test } from '@jest/globals';
import { RowsRefusedError } from '@millrace/clickhouse/insert-errors.ts';
import type { Logger } from '@millrace/runtime/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { RunRecord } from './run-record.ts';
import { createRunRecords } from './run-records.ts';

// A store that fails as told stands for ClickHouse: real outages are not to be had at the moment that these promises are about.

const record = (executionId: string): RunRecord => ({
  teamId: 1, endpointId: 'e', name: 'n', version: 1, executionId, startedAtMs: 0, keyId: 'k', clientQueryId: null,
  outcome: { kind: 'failed', durationMs: 1, error: 'error' },
});

/** What was stored together, and of which batch it is. */
interface Attempt {
  ids: string[];
  of: object;
}

function records(options: { recordsMax?: number; everyMs?: number } = {}) {
  const stored: Attempt[] = [];
  const told: string[] = [];
  const state = { failure: undefined as Error | undefined, attempts: [] as Attempt[], gathered: 0, lost: 0, closed: 0, told, stored };
  const store = {
    begin() {
      const ids: string[] = [];
      return {
        get length() {
          return ids.length;
        },
        add({ executionId }: RunRecord) {
          if (executionId === 'bad') throw new RowsRefusedError('it does not fit', { cause: null });
          ids.push(executionId);
          state.gathered++;
        },
        store() {
          const attempt = { ids: [...ids], of: ids };
          state.attempts.push(attempt);
          if (state.failure !== undefined) return Promise.reject(state.failure);
          stored.push(attempt);
          return Promise.resolve();
        },
      };
    },
    close: () => Promise.resolve(void state.closed++),
  };
  const logger = { warn: (_facts: object, message: string) => void told.push(message) } as unknown as Logger;
  return { state, made: createRunRecords(store, { logger, onLost: (count) => (state.lost += count), everyMs: 1, ...options }) };
}

describe('records of runs', () => {
  test('are stored together, and at the end', async () => {
    const { state, made } = records({ everyMs: 60_000 });
    made.start();
    for (const id of ['a', 'b', 'c']) made.add(record(id));
    expect(state.attempts).toEqual([]);
    await made.stop();
    expect(state.stored.map(({ ids }) => ids)).toEqual([['a', 'b', 'c']]);
    expect([state.closed, state.lost, state.told]).toEqual([1, 0, []]);
  });

  test('wait while ClickHouse is away, and are stored as one batch to the end; one line tells it', async () => {
    const { state, made } = records();
    state.failure = new Error('away');
    made.start();
    made.add(record('a'));
    await eventually(() => expect(state.attempts.length).toBeGreaterThan(2));
    made.add(record('b'));
    state.failure = undefined;
    await eventually(() => expect(state.stored.length).toBe(2));
    await made.stop();
    expect(new Set(state.attempts.slice(0, -1).map((attempt) => attempt.of)).size).toBe(1);
    expect(state.stored.map(({ ids }) => ids)).toEqual([['a'], ['b']]);
    expect([state.lost, state.told]).toEqual([0, [expect.stringContaining('not stored yet')]]);
  });

  test('are counted and lost when there are too many, which is told once', async () => {
    const { state, made } = records({ recordsMax: 2, everyMs: 60_000 });
    for (const id of ['a', 'b', 'c', 'd']) made.add(record(id));
    expect([state.lost, state.told.length]).toEqual([2, 1]);
    await made.stop();
    expect(state.stored.map(({ ids }) => ids)).toEqual([['a', 'b']]);
  });

  test('that ClickHouse will never take do not stand in the way of others', async () => {
    const { state, made } = records();
    state.failure = new RowsRefusedError('no', { cause: null });
    made.start();
    made.add(record('a'));
    await eventually(() => expect(state.lost).toBe(1));
    state.failure = undefined;
    made.add(record('b'));
    await made.stop();
    expect(state.stored.map(({ ids }) => ids)).toEqual([['b']]);
  });

  test('one of which can not be stored are stored without it, which is counted', async () => {
    const { state, made } = records({ everyMs: 60_000 });
    for (const id of ['a', 'bad', 'b']) made.add(record(id));
    await made.stop();
    expect([state.stored.map(({ ids }) => ids), state.lost]).toEqual([[['a', 'b']], 1]);
  });

  test('wait as objects a few at a time, as bytes most of them, and count as either', async () => {
    const { state, made } = records({ recordsMax: 40, everyMs: 60_000 });
    for (let index = 0; index < 35; index++) {
      made.add(record(String(index)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(state.gathered).toBeGreaterThan(15);
    for (let index = 35; index < 45; index++) made.add(record(String(index)));
    expect(state.lost).toBe(5);
    await made.stop();
    expect(state.stored.map(({ ids }) => ids.map(Number))).toEqual([Array.from({ length: 40 }, (_, index) => index)]);
  });

  test('do not keep a process from stopping: what cannot be stored then is lost, and counted', async () => {
    const { state, made } = records({ everyMs: 60_000 });
    state.failure = new Error('away');
    made.add(record('a'));
    await made.stop();
    expect([state.lost, state.closed]).toEqual([1, 1]);
  });
});
