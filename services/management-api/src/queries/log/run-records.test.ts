import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { RowsRefusedError } from '@millrace/clickhouse/insert/insert-errors.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { RunRecord } from './run-record.ts';
import { connectRunRecordStore, createRunRecords } from './run-records.ts';

// A store that fails as reported stands for ClickHouse: real outages are not to be had at the moment that these promises are about.

const record = (executionId: string): RunRecord => ({
  teamId: 1,
  endpointId: 'e',
  name: 'n',
  version: 1,
  executionId,
  startedAtMs: 0,
  keyId: 'k',
  clientQueryId: null,
  outcome: { kind: 'failed', durationMs: 1, error: 'error' },
});

/** Records that were stored together, with their batch. */
interface Attempt {
  ids: string[];
  of: object;
}

function records(options: { recordsMax?: number; everyMs?: number } = {}) {
  const stored: Attempt[] = [];
  const reported: string[] = [];
  const errors: unknown[] = [];
  const state = {
    failure: undefined as Error | undefined,
    attempts: [] as Attempt[],
    gathered: 0,
    lost: 0,
    closed: 0,
    reported,
    errors,
    stored,
  };
  const store = {
    begin() {
      const ids: string[] = [];
      return {
        get length() {
          return ids.length;
        },
        add({ executionId }: RunRecord) {
          if (executionId === 'bad') throw new RowsRefusedError('it does not fit', { cause: null });
          if (executionId === 'broken') throw new TypeError('it is no record');
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
  const warn = ({ err }: { err?: unknown }, message: string): void => {
    reported.push(message);
    errors.push(err);
  };
  const logger = { warn } as unknown as Logger;
  return {
    state,
    made: createRunRecords(store, { logger, onLost: (count) => (state.lost += count), everyMs: 1, ...options }),
  };
}

describe('records of runs', () => {
  test('are stored together, and at the end', async () => {
    const { state, made } = records({ everyMs: 60_000 });
    made.start();
    for (const id of ['a', 'b', 'c']) made.add(record(id));
    expect(state.attempts).toEqual([]);
    await made.stop();
    expect(state.stored.map(({ ids }) => ids)).toEqual([['a', 'b', 'c']]);
    expect([state.closed, state.lost, state.reported]).toEqual([1, 0, []]);
  });

  test('wait while ClickHouse is away, and are then stored as one batch; one line reports it', async () => {
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
    expect([state.lost, state.reported]).toEqual([0, [expect.stringContaining('not stored yet')]]);
  });

  test('are counted and lost when there are too many, which is reported once', async () => {
    const { state, made } = records({ recordsMax: 2, everyMs: 60_000 });
    for (const id of ['a', 'b', 'c', 'd']) made.add(record(id));
    expect([state.lost, state.reported.length]).toEqual([2, 1]);
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

  test.each([1, 20])(
    'one of which, among %i more, breaks in an unforeseen way are stored without it, which is counted and reported',
    async (others) => {
      const { state, made } = records({ everyMs: 60_000 });
      made.add(record('broken'));
      for (let index = 0; index < others; index++) made.add(record(String(index)));
      await new Promise((resolve) => setImmediate(resolve));
      await made.stop();
      expect([state.stored.flatMap(({ ids }) => ids).length, state.lost, state.errors]).toEqual([
        others,
        1,
        [new TypeError('it is no record')],
      ]);
    },
  );

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

describe('records as ClickHouse gets them', () => {
  /** The bodies of all inserts, in their order. */
  async function sent(records: readonly RunRecord[]): Promise<{ bodies: Buffer[]; length: number }> {
    const bodies: Buffer[] = [];
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        bodies.push(body);
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const store = connectRunRecordStore({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      user: 'u',
      password: 'p',
    });
    const batch = store.begin();
    for (const one of records) {
      try {
        batch.add(one);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    }
    await batch.store();
    await store.close();
    server.close();
    return { bodies, length: batch.length };
  }

  test('have one that breaks in neither of the two tables', async () => {
    const good = {
      ...record('00000000-0000-4000-8000-000000000001'),
      endpointId: '00000000-0000-4000-8000-000000000002',
    };
    // A value without a text breaks the entry for people, after the row for queries was written.
    const broken: RunRecord = {
      ...good,
      outcome: { kind: 'refused', error: 'e', reason: Object.create(null) as string },
    };
    const expected = await sent([good]);
    expect(expected.bodies.map(({ length }) => length > 0)).toEqual([true, true]);
    expect(await sent([broken, good])).toEqual(expected);
  });
});
