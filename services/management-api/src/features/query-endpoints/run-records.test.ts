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

function records(options: { recordsMax?: number; everyMs?: number } = {}) {
  const stored: { ids: string[]; name: string }[] = [];
  const told: string[] = [];
  const state = { failure: undefined as Error | undefined, attempts: [] as { ids: string[]; name: string }[], lost: 0, closed: 0, told, stored };
  const store = {
    store(batch: readonly RunRecord[], name: string) {
      const attempt = { ids: batch.map(({ executionId }) => executionId), name };
      state.attempts.push(attempt);
      if (state.failure !== undefined) return Promise.reject(state.failure);
      stored.push(attempt);
      return Promise.resolve();
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

  test('wait while ClickHouse is away, and are sent again as they were, under their name; one line tells it', async () => {
    const { state, made } = records();
    state.failure = new Error('away');
    made.start();
    made.add(record('a'));
    await eventually(() => expect(state.attempts.length).toBeGreaterThan(2));
    made.add(record('b'));
    state.failure = undefined;
    await eventually(() => expect(state.stored.length).toBe(2));
    await made.stop();
    expect(new Set(state.attempts.slice(0, -1).map(({ name, ids }) => `${name} ${ids.join()}`)).size).toBe(1);
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

  test('do not keep a process from stopping: what cannot be stored then is lost, and counted', async () => {
    const { state, made } = records({ everyMs: 60_000 });
    state.failure = new Error('away');
    made.add(record('a'));
    await made.stop();
    expect([state.lost, state.closed]).toEqual([1, 1]);
  });
});
