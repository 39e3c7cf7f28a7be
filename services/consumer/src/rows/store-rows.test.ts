import { expect, jest, test } from '@jest/globals';
import { RowsRefusedError } from '@millrace/clickhouse/insert/insert-errors.ts';
import type { RowList, WritingRow } from '@millrace/clickhouse/insert/row-list.ts';
import type { IdentityStates } from '../identity/apply-identity.ts';
import type { DeadLetter } from '@millrace/captured-event/dead-letter.ts';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import { storeRows, type BatchRows } from './store-rows.ts';
import { PersonProperties } from '../persons/person.ts';
import { rowIndexOf } from './row-index.ts';
import type { TableRows } from './rows.ts';
import { createRetry, type Retry } from '../stream/retry.ts';
import { testDraft } from '../test/drafts.ts';

const patient: Retry = (_, work) => work(0, () => undefined);
const nothing: IdentityStates = { persons: [], removed: [], mappings: [], groups: [] };

test('no event is stored before its warnings, because a repeated batch has no warnings about stored events', async () => {
  const inserted: string[] = [];
  const warnings = Promise.withResolvers<void>();
  const outputs = {
    insert: async (table: string): Promise<void> => {
      if (table === 'ingestion_warnings') await warnings.promise;
      inserted.push(table);
    },
    moveToOverflow: () => Promise.resolve(true),
    keepDeadLetters: () => Promise.resolve(),
  };
  const storing = storeRows({ outputs, retry: patient }, 'token', {
    events: [{ row: {} as WritingRow, draft: testDraft(), position: { offset: 1n, index: 0 }, size: 1 }],
    rowIndex: rowIndexOf([]),
    contents: [],
    states: nothing,
    warnings: [{} as TableRows['ingestion_warnings']],
    letters: [],
    refusedLetter: () => {
      throw new Error('nothing is refused');
    },
  });
  await new Promise(setImmediate);
  expect(inserted).toEqual([]);
  warnings.resolve();
  expect(await storing).toBe(0);
  expect(inserted).toEqual(['ingestion_warnings', 'events']);
});

test('a second attempt has no effect on events and warnings, and writes persons, distinct ids and groups again; all are durable when it ends', async () => {
  const inserted: [table: string, token: string | null, rows: unknown[]][] = [];
  const letters: unknown[] = [];
  const outputs = {
    insert: (table: string, rows: RowList<unknown>, token: string | null): Promise<void> =>
      Promise.resolve(void inserted.push([table, token, Array.from({ length: rows.length }, (_, at) => rows.at(at))])),
    moveToOverflow: () => Promise.resolve(true),
    keepDeadLetters: async (some: readonly unknown[]): Promise<void> => {
      await new Promise(setImmediate);
      letters.push(...some);
    },
  };
  const key = { teamId: 7, uuid: 'a', version: 3 };
  const times = { createdAt: '2026-05-04T10:00:00.000000Z', lastSeenAt: '2026-05-04T10:00:00.000000Z' };
  const properties = new PersonProperties({});
  const letter = { letter: {} as DeadLetter, payload: Buffer.alloc(0) };
  await storeRows({ outputs, retry: patient }, 'token', {
    ...batchOf([1]),
    warnings: [{} as TableRows['ingestion_warnings']],
    letters: [letter],
    states: {
      persons: [{ ...key, ...times, isIdentified: true, properties }],
      removed: [key],
      mappings: [
        { teamId: 7, distinctId: 'own', personId: 'a', version: 0 },
        { teamId: 7, distinctId: 'anon', personId: 'a', version: 1 },
      ],
      groups: [
        {
          teamId: 7,
          index: 0,
          key: 'acme',
          createdAt: times.createdAt,
          updatedAt: times.createdAt,
          version: 0,
          properties,
        },
      ],
    },
  });
  expect(inserted.map(([table, token]) => [table, token]).sort()).toEqual([
    ['events', 'events:token'],
    ['groups', null],
    ['ingestion_warnings', 'warnings:token'],
    ['person_distinct_ids', null],
    ['person_overrides', null],
    ['persons', null],
    ['persons', null],
  ]);
  const rowsOf = (of: string): unknown[] => inserted.flatMap(([table, , rows]) => (table === of ? rows : []));
  expect(rowsOf('person_distinct_ids')).toMatchObject([
    { distinct_id: 'own', version: 0 },
    { distinct_id: 'anon', version: 1 },
  ]);
  expect(rowsOf('person_overrides')).toEqual([{ team_id: 7, distinct_id: 'anon', person_id: 'a', version: 1 }]);
  expect(
    rowsOf('persons')
      .map((row) => (row as { is_deleted: boolean }).is_deleted)
      .sort(),
  ).toEqual([false, true]);
  expect(letters).toEqual([letter]);
});

test('no event is stored before the properties that its row names', async () => {
  const inserted: string[] = [];
  const contents = Promise.withResolvers<void>();
  const outputs = {
    insert: async (table: string): Promise<void> => {
      if (table === 'person_contents') await contents.promise;
      inserted.push(table);
    },
    moveToOverflow: () => Promise.resolve(true),
    keepDeadLetters: () => Promise.resolve(),
  };
  const storing = storeRows({ outputs, retry: patient }, 'token', {
    ...batchOf([1]),
    contents: [{ teamId: 7, properties: new PersonProperties({ text: 'x'.repeat(20_000) }) }],
  });
  await new Promise(setImmediate);
  expect(inserted).toEqual([]);
  contents.resolve();
  await storing;
  expect(inserted).toEqual(['person_contents', 'events']);
});

/** One record of four events, of these sizes. */
function batchOf(sizes: readonly number[]): BatchRows {
  const draft = testDraft();
  const entry = { head: Buffer.alloc(0), body: Buffer.alloc(0) };
  const rowIndex = rowIndexOf([{ offset: 7n, appendedAtMs: 0, payload: encodeBundle(sizes.map(() => entry)) }]);
  const events = sizes.map((size, index) => ({
    row: { timestamp: String(index) } as WritingRow,
    draft,
    position: { offset: 7n, index },
    size,
  }));
  const letter = {} as DeadLetter;
  return {
    events,
    rowIndex,
    contents: [],
    states: nothing,
    warnings: [],
    letters: [],
    refusedLetter: () => ({ letter, payload: Buffer.alloc(0) }),
  };
}

test('rows that are too much for one insert go in several, each under its range of the batch; also when they are smaller the next time', async () => {
  const inserted: [token: string | null, rows: number][] = [];
  const outputs = {
    insert: (_: string, { length }: { length: number }, token: string | null): Promise<void> =>
      Promise.resolve(void inserted.push([token, length])),
    moveToOverflow: () => Promise.resolve(true),
    keepDeadLetters: () => Promise.resolve(),
  };
  const large = batchOf([50_000_000, 50_000_000, 50_000_000, 150_000_000]);
  await storeRows({ outputs, retry: patient }, 'token', large);
  const wanted = [
    ['events:token/0-2', 2],
    ['events:token/2-3', 1],
    ['events:token/3-4', 1],
  ];
  expect(inserted).toEqual(wanted);
  // The same batch, whose persons were read anew and are smaller.
  await storeRows({ outputs, retry: patient }, 'token', { ...batchOf([1, 1, 1, 1]), rowIndex: large.rowIndex });
  expect(inserted.slice(3)).toEqual(wanted);
});

test('to find refused rows takes many inserts, and each of them is a sign of life', async () => {
  jest.useFakeTimers();
  try {
    const stuck: string[] = [];
    const retry = createRetry({
      signal: new AbortController().signal,
      onHealthChange: () => undefined,
      onStuck: (engine) => stuck.push(engine),
      isFinal: () => false,
    });
    let inserts = 0;
    const outputs = {
      insert: async (_: string, rows: RowList<unknown>): Promise<void> => {
        inserts++;
        await jest.advanceTimersByTimeAsync(200_000);
        if (Array.from({ length: rows.length }, (__, at) => (rows.at(at) as WritingRow).timestamp).includes('2'))
          throw new RowsRefusedError('no', { cause: null });
      },
      moveToOverflow: () => Promise.resolve(true),
      keepDeadLetters: () => Promise.resolve(),
    };
    expect(await storeRows({ outputs, retry }, 'token', batchOf([1, 1, 1, 1]))).toBe(1);
    expect([inserts, stuck]).toEqual([5, []]);
  } finally {
    jest.useRealTimers();
  }
});
