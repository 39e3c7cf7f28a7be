import { describe, expect, test } from '@jest/globals';
import { RowWriter } from '@millrace/clickhouse/insert/row-writer.ts';
import { RowsRefusedError } from '@millrace/clickhouse/insert/insert-errors.ts';
import type { RowList } from '@millrace/clickhouse/insert/row-list.ts';
import { encodeBundle, type BundleEntry } from '@millrace/captured-event/event-bundle.ts';
import type { EventReader } from '@millrace/suppression/event-reader.ts';
import { compileRules } from '@millrace/suppression/suppression-rules.ts';
import type { Missed } from './definitions/project-definitions.ts';
import { createRecentEvents } from './duplicates/recent-events.ts';
import type { EventDraft } from './events/event-draft.ts';
import type { ExceptionParts } from './exceptions/exception-parts.ts';
import type { StoredFrame } from './exceptions/frame-store.ts';
import { UnreadableSymbolsError } from './exceptions/symbols/unreadable-symbols-error.ts';
import type { EventOfPerson } from './rows/event-of-person.ts';
import { typeText } from './groups/group-types.ts';
import { personsAgeMaxMs } from './identity/fresh-persons.ts';
import type { IdentityStore } from './identity/identity-store.ts';
import type { Outputs } from './rows/outputs.ts';
import { keyText, PersonProperties, type KnownId, type StoredPerson } from './persons/person.ts';
import type { Moves } from './stream/moves.ts';
import { createProjectShares, type ProjectShares } from './overflow/project-shares.ts';
import type { BatchContext, BatchReport } from './stages/batch-context.ts';
import { processBatch } from './pipeline.ts';
import { createLaneScheduler, type LaneScheduler } from './stream/lane-scheduler.ts';
import type { Retry } from './stream/retry.ts';
import { exceptionParts } from './test/exception-parts.ts';
import { lookupOf, testEntry, testHead, testProject } from './test/drafts.ts';
import { createWarningLimiter } from './warnings/warning-limiter.ts';
import type { StoredLetter } from './events/letters.ts';
import type { Batch } from './stream/batch.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { BatchTooLargeError } from './stream/batch-too-large-error.ts';

const uuid = (number: number): string => `0190f3a0-0000-4000-8000-${String(number).padStart(12, '0')}`;
const event = (number: number, head = {}, body = '{}'): BundleEntry => testEntry({ uuid: uuid(number), ...head }, body);

const person: StoredPerson = {
  id: '1',
  teamId: 7,
  uuid: 'a0000000-0000-4000-8000-000000000001',
  properties: new PersonProperties({ plan: 'pro' }),
  isIdentified: false,
  createdAt: '2026-05-04T09:00:00.000000Z',
  lastSeenAt: '2026-05-04T10:00:00.123456Z',
  version: 3,
};

/** Everything that a batch needs, in memory. `insert` may throw in place of an insert; `store` replaces parts of Postgres. */
function createRig({
  insert = () => undefined,
  store = {},
  stored = () => false,
  shares = null,
  takes = true,
  writeBytesMax = Infinity,
  exceptions = {},
  definitionsWritten = () => Promise.resolve(),
  missed = null,
}: {
  insert?: (table: string, rows: readonly unknown[]) => void;
  store?: Partial<IdentityStore>;
  stored?: (draft: EventDraft) => boolean;
  shares?: ProjectShares | null;
  takes?: boolean;
  writeBytesMax?: number;
  exceptions?: Partial<ExceptionParts>;
  definitionsWritten?: () => Promise<void>;
  missed?: Missed | null;
}) {
  const rig = {
    nowMs: Date.UTC(2026, 4, 4, 12),
    inserted: [] as string[],
    warnings: [] as unknown[],
    letters: [] as StoredLetter[],
    moved: [] as BundleEntry[],
    recordedMoves: [] as Moves[],
    requested: [] as string[],
    looks: 0,
    marked: [] as number[][],
  };
  const identity: IdentityStore = {
    findPersons: ([key]) => {
      rig.looks++;
      const known = { ...(key as KnownId), mapping: { version: 0, person }, hadAnonymousEvents: false };
      return Promise.resolve(new Map([[keyText(known), known]]));
    },
    findGroups: (keys) =>
      Promise.resolve(
        new Map(
          keys.map((key) => [
            `7:${key.index}:${key.key}`,
            {
              ...key,
              properties: new PersonProperties({}),
              createdAt: testHead.timestamp,
              updatedAt: testHead.timestamp,
              version: 1,
            },
          ]),
        ),
      ),
    movedBy: () => Promise.resolve([]),
    idsHeld: () => Promise.resolve(new Map()),
    progress: () => Promise.resolve({ last: null, removed: [] }),
    write: () => Promise.resolve([]),
    ...store,
  };
  const outputs: Outputs = {
    insert: async (table: string, list: RowList<unknown>) => {
      const rows = Array.from({ length: list.length }, (_, index) => list.at(index));
      await Promise.resolve();
      insert(table, rows);
      rig.inserted.push(table);
      if (table === 'ingestion_warnings') rig.warnings.push(...rows);
    },
    moveToOverflow: (_, entries) => {
      if (takes) rig.moved.push(...entries);
      return Promise.resolve(takes);
    },
    keepDeadLetters: (letters) => Promise.resolve(void rig.letters.push(...letters)),
  };
  const retry: Retry = async (_, work) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work(attempt, () => undefined);
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  };
  const clock = { nowMs: () => rig.nowMs };
  const context: BatchContext = {
    projects: { load: () => Promise.resolve(lookupOf(testProject)) },
    identity: () => identity,
    definitions: {
      learn: () => missed,
      learnGroup: () => null,
      read: () => Promise.resolve(),
      written: definitionsWritten,
      markIncomplete(ids) {
        rig.marked.push([...ids]);
        return Promise.resolve();
      },
    },
    onMissedNames: () => undefined,
    groupTypes: { load: (types) => Promise.resolve(new Map(types.map((type) => [typeText(type), 0]))) },
    stored: {
      find: (drafts) => {
        rig.requested.push(...drafts.map(({ head }) => head.uuid));
        return Promise.resolve(new Set(drafts.filter(stored)));
      },
    },
    recent: createRecentEvents(6),
    shares,
    parts: { areMany: () => false, few: () => Promise.resolve() },
    writeBytesMax,
    limiter: createWarningLimiter(clock),
    exceptions: exceptionParts(exceptions),
    outputs,
    clock,
    retry,
    logEpoch: 'log',
    progress: new Map(),
    trust: { isProven: true },
    failpoint: () => undefined,
  };
  let offset = 0n;
  const batchOf = (entries: readonly BundleEntry[], again: boolean, moves: Moves | null = null): Batch => {
    offset += 1n;
    const recordMoves = (decided: Moves): Promise<void> =>
      Promise.resolve(void rig.recordedMoves.push(new Map(decided)));
    return {
      moves,
      recordMoves,
      stream: { lane: 'main', partition: 2, writer: 'w' },
      records: [{ offset, appendedAtMs: Date.UTC(2026, 0), payload: encodeBundle(entries) }],
      token: `log:main:2:w:${offset}-${offset}`,
      again,
      withoutSlot: (wait) => wait(),
      signal: new AbortController().signal,
    };
  };
  return {
    rig,
    batch: (entries: readonly BundleEntry[], again = false, moves: Moves | null = null): Promise<BatchReport> =>
      processBatch(batchOf(entries, again, moves), context),
    batchOfRecords: (records: readonly (readonly BundleEntry[])[]): Promise<BatchReport> => {
      const batches = records.map((entries) => batchOf(entries, false));
      return processBatch({ ...(batches[0] as Batch), records: batches.flatMap((one) => one.records) }, context);
    },
    /** In the lane of exceptions, with a slot of `scheduler`. */
    exceptions: (scheduler: LaneScheduler, entries: readonly BundleEntry[]): Promise<BatchReport> =>
      scheduler.run('exceptions', (withoutSlot) =>
        processBatch(
          { ...batchOf(entries, false), withoutSlot, stream: { lane: 'exceptions', partition: 2, writer: 'w' } },
          context,
        ),
      ),
    warnings: (entries: readonly BundleEntry[], again = false): Promise<BatchReport> =>
      processBatch({ ...batchOf(entries, again), stream: { lane: 'warnings', partition: 2, writer: 'w' } }, context),
  };
}

function textOf(row: EventOfPerson): string {
  const writer = new RowWriter(1_000);
  row.writeTo(writer);
  return writer.written.toString('latin1');
}

const uuidOf = (row: unknown): string => (row as EventOfPerson).draft.head.uuid;

test('a row that ClickHouse refuses is a dead letter alone; replayed, it is looked up in ClickHouse: it is no duplicate of itself (contract/capture 6.2)', async () => {
  let refuses = true;
  const { rig, batch } = createRig({
    insert: (table, rows) => {
      if (refuses && table === 'events' && rows.some((row) => uuidOf(row) === uuid(2)))
        throw new RowsRefusedError('no such day', { cause: null });
    },
  });
  expect(await batch([event(1), event(2), event(3)])).toMatchObject({
    entries: 3,
    rows: 2,
    deadLetters: 1,
    dropped: {},
  });
  expect(rig.letters.map(({ letter }) => letter)).toMatchObject([
    {
      reason: 'row_refused',
      step: 'insert',
      detail: 'no such day',
      lane: 'main',
      partition: 2,
      writer: 'w',
      offset: '1',
      index: 1,
    },
  ]);
  expect(rig.letters.map(({ payload }) => payload)).toEqual([encodeBundle([event(2)])]);
  refuses = false;
  expect(await batch([event(1), event(2)])).toMatchObject({
    rows: 1,
    dropped: { duplicate: 1 },
    deadLetters: 0,
    lookedUp: 1,
  });
  expect(rig.requested).toEqual([uuid(2)]);
});

test('a batch ends when its rows are stored and what it has learned of types is (contract/decisions 74)', async () => {
  const written = Promise.withResolvers<void>();
  const { rig, batch } = createRig({ definitionsWritten: () => written.promise });
  let hasEnded = false;
  const done = batch([event(1)]).then(() => (hasEnded = true));
  await eventually(() => Promise.resolve(expect(rig.inserted).toContain('events')));
  expect(hasEnded).toBe(false);
  written.resolve();
  await done;
});

test('a project with names that came too fast is marked when its events are stored, before the batch ends', async () => {
  const missed = { leftOut: 0, putOff: 1, skipped: 0, pairs: 0 };
  const { rig, batch } = createRig({ missed, definitionsWritten: () => Promise.resolve() });
  await batch([event(1)]);
  expect(rig.inserted).toContain('events');
  expect(rig.marked).toEqual([[testProject.id]]);
  expect(rig.warnings).toEqual([]);
});

test('a project with too many names gets one warning (contract/capture 4.7)', async () => {
  const { rig, batch } = createRig({ missed: { leftOut: 1, putOff: 0, skipped: 0, pairs: 0 } });
  await batch([event(1), event(2)]);
  expect(rig.warnings).toMatchObject([{ type: 'definition_limit_exceeded', severity: 'warning' }]);
});

test('what became of every entry is counted: rows, drops by reason, dead letters', async () => {
  const { rig, batch } = createRig({});
  const entries = [
    event(1),
    event(1),
    event(2, { event: '$snapshot' }),
    event(3, { projectId: 8 }),
    event(4, { projectId: 9 }),
    event(5, {}, '[]'),
  ];
  expect(await batch(entries)).toEqual({
    entries: 6,
    rows: 1,
    dropped: { duplicate: 1, replay: 1, unknown_project: 2 },
    deadLetters: 1,
    moved: 0,
    lookedUp: 0,
  });
  expect(rig.letters.map(({ letter: { reason, index } }) => [reason, index])).toEqual([['unreadable_properties', 5]]);
});

test('of each type a person has one warning an hour, and one of a refused merge with an illegal id every time (contract/capture 4.7)', async () => {
  const { rig, batch } = createRig({});
  const surveys = ['ann', 'ann', 'bob'].map((distinctId, index) => event(index, { event: 'survey sent', distinctId }));
  const merges = [10, 11].map((number) => event(number, { event: '$identify' }, '{"$anon_distinct_id":"guest"}'));
  const contradiction = event(20, { event: '$identify', distinctId: 'eve' }, '{"$process_person_profile":false}');
  await batch([...surveys, ...merges, contradiction]);
  const reported = rig.warnings
    .map((row) => row as { type: string; details: string })
    .map(({ type, details }) => ({ type, ...(JSON.parse(details) as object) }));
  expect(reported).toMatchObject([
    {
      type: 'invalid_event_when_process_person_profile_is_false',
      distinctId: 'eve',
      eventUuid: uuid(20),
      severity: 'error',
    },
    { type: 'missing_survey_id', distinctId: 'ann', eventUuid: uuid(0), pipelineStep: 'check-survey' },
    { type: 'missing_survey_id', distinctId: 'bob', eventUuid: uuid(2) },
    { type: 'cannot_merge_with_illegal_distinct_id', eventUuid: uuid(10), pipelineStep: 'fold-persons' },
    { type: 'cannot_merge_with_illegal_distinct_id', eventUuid: uuid(11) },
  ]);
});

test('warnings are stored although the engine was away for so long that persons had to be read again', async () => {
  const { rig, batch } = createRig({
    insert: (table) => {
      if (rig.looks > 1 || table !== 'ingestion_warnings') return;
      rig.nowMs += personsAgeMaxMs + 1;
      throw new Error('away');
    },
  });
  await batch([event(1, { event: 'survey sent' })]);
  expect([rig.looks, rig.inserted]).toEqual([2, ['ingestion_warnings', 'events', 'persons', 'person_distinct_ids']]);
  expect(rig.warnings).toMatchObject([{ type: 'missing_survey_id', source: 'consumer', count: 1 }]);
});

test('persons are as old as the moment when they were read, however long Postgres was away before', async () => {
  let tries = 0;
  const { rig, batch } = createRig({
    store: {
      progress: () => {
        if (tries++ > 0) return Promise.resolve({ last: null, removed: [] });
        rig.nowMs += personsAgeMaxMs + 1;
        return Promise.reject(new Error('away'));
      },
    },
  });
  await batch([event(1)]);
  expect(rig.looks).toBe(1);
});

test('ClickHouse gets persons whose write was done and its reply lost', async () => {
  let last: bigint | null = null;
  const { rig, batch } = createRig({
    store: {
      progress: () => Promise.resolve({ last, removed: [] }),
      write: (plan) => {
        last = plan.position.last;
        return Promise.reject(new Error('connection lost'));
      },
    },
  });
  await batch([event(1, { set: { plan: 'free' } })]);
  expect(rig.inserted.sort()).toEqual(['events', 'person_distinct_ids', 'persons']);
});

test('a repeated batch writes groups although its events are stored', async () => {
  const describing = event(
    1,
    { event: '$groupidentify' },
    '{"$group_type":"company","$group_key":"acme","$group_set":{"a":1}}',
  );
  const { rig, batch } = createRig({ stored: () => true });
  expect(await batch([describing], true)).toMatchObject({ rows: 0, dropped: { duplicate: 1 } });
  expect(rig.inserted).toContain('groups');
});

test("capture's warnings find their project by its number, or by their token when capture did not know it; none is left out, capture has limited them", async () => {
  const warning = (projectId: number | null, token: string, distinctId: string): BundleEntry => ({
    head: Buffer.from(
      JSON.stringify({
        type: 'missing_event_name',
        token,
        projectId,
        timestamp: testHead.timestamp,
        count: 3,
        details: { distinctId },
      }),
    ),
    body: Buffer.alloc(0),
  });
  const entries = [
    warning(7, 'phc_rotated', 'a'),
    warning(null, 'phc_test', 'b'),
    warning(null, 'phc_nobody', 'c'),
    warning(8, 'phc_test', 'd'),
    warning(7, '', 'a'),
    { head: Buffer.from('{}'), body: Buffer.alloc(0) },
  ];
  const { rig, warnings } = createRig({});
  const report = {
    entries: 6,
    rows: 3,
    dropped: { unknown_project: 2 },
    deadLetters: 1,
    moved: 0,
    lookedUp: 0,
  };
  expect(await warnings(entries)).toEqual(report);
  expect(rig.warnings.map((row) => [(row as { team_id: number }).team_id, (row as { source: string }).source])).toEqual(
    [
      [7, 'capture'],
      [7, 'capture'],
      [7, 'capture'],
    ],
  );
  expect(rig.letters.map(({ letter: { step, index } }) => [step, index])).toEqual([['read-warning', 5]]);
  expect(await warnings(entries, true)).toEqual(report);
  expect(await warnings(entries)).toEqual(report);
});

const large: StoredPerson = { ...person, properties: new PersonProperties({ big: 'x'.repeat(600_000) }) };
const findsLarge: Partial<IdentityStore> = {
  findPersons: (keys) =>
    Promise.resolve(
      new Map(
        keys.map((key) => [
          keyText(key),
          { ...key, mapping: { version: 0, person: large }, hadAnonymousEvents: false },
        ]),
      ),
    ),
};
const smallShares = (): ProjectShares => createProjectShares({ perSecond: 1, burst: 7_500_000 });
const setting = (number: number): BundleEntry => event(number, {}, `{"$set":{"n":${number}}}`);
const fifty = Array.from({ length: 50 }, (_, number) => setting(number));

describe('a project that makes the consumer write more than its share', () => {
  test('has three events of a person of 600 KB stored; the others go to overflow, recorded before they are appended, and appended before persons are written', async () => {
    const order: string[] = [];
    const { rig, batch } = createRig({
      shares: smallShares(),
      store: {
        ...findsLarge,
        write: (plan) =>
          Promise.resolve((order.push(`write ${plan.persons.changed.length} after ${rig.moved.length}`), [])),
      },
    });
    expect(await batch(fifty)).toMatchObject({ entries: 50, rows: 3, moved: 47, deadLetters: 0, dropped: {} });
    expect(rig.moved).toEqual(fifty.slice(3));
    expect(rig.recordedMoves).toEqual([new Map([[7, { offset: 1n, index: 3 }]])]);
    expect(order).toEqual(['write 1 after 47']);
    expect(rig.warnings.map((row) => (row as { type: string }).type)).toEqual(['ingestion_capacity_overflow']);
  });

  test('loses nothing by it: met again, in overflow, they are no duplicates of themselves', async () => {
    const { rig, batch } = createRig({ shares: smallShares(), store: findsLarge });
    const twenty = fifty.slice(0, 20);
    expect(await batch(twenty)).toMatchObject({ rows: 3, moved: 17 });
    expect(await batch(twenty, false, new Map())).toMatchObject({ rows: 17, moved: 0, dropped: { duplicate: 3 } });
    expect(rig.requested).toEqual(twenty.slice(3).map((_, at) => uuid(at + 3)));
  });

  test('a batch that is done again after a crash lets the same events leave, whatever is left of the share', async () => {
    const { rig, batch } = createRig({ shares: createProjectShares({ perSecond: 1, burst: 1e9 }), store: findsLarge });
    expect(await batch(fifty, true, new Map([[7, { offset: 1n, index: 10 }]]))).toMatchObject({ rows: 10, moved: 40 });
    expect([rig.moved.length, rig.recordedMoves]).toEqual([40, []]);
  });

  test('has all of them stored where they are when the log takes nothing', async () => {
    const { rig, batch } = createRig({ shares: smallShares(), store: findsLarge, takes: false });
    expect(await batch(fifty)).toMatchObject({ rows: 50, moved: 0 });
    expect(rig.recordedMoves.map(({ size }) => size)).toEqual([1, 0]);
  });

  test('a batch that would write too much is divided before anything is written', async () => {
    const writes: unknown[] = [];
    const { rig, batchOfRecords } = createRig({
      writeBytesMax: 3_000_000,
      store: { ...findsLarge, write: (plan) => Promise.resolve((writes.push(plan), [])) },
    });
    await expect(batchOfRecords([fifty.slice(0, 25), fifty.slice(25)])).rejects.toThrow(BatchTooLargeError);
    expect([writes, rig.inserted]).toEqual([[], []]);
  });
});

describe('exceptions', () => {
  const place = { filename: 'https://shop.example/app.js', function: 'e', lineno: 1, colno: 5000 };
  const webFrame = { platform: 'web:javascript', ...place, in_app: true, chunk_id: 'chunk-1' };
  const list = [{ type: 'TypeError', value: 'v', stacktrace: { type: 'raw', frames: [webFrame] } }];
  const thrown = (number: number, properties: object = {}) =>
    event(number, { event: '$exception' }, JSON.stringify({ $exception_list: list, ...properties }));
  const scheduler = () => createLaneScheduler(1, { nowMs: () => 0 });

  /** A rig that keeps the texts of its rows, and the frames that were stored. */
  function exceptionRig(exceptions: Partial<ExceptionParts> = {}, stored = () => false) {
    const rows: string[] = [];
    const frames: StoredFrame[] = [];
    const insert = (table: string, some: readonly unknown[]): void => {
      if (table === 'events') rows.push(...some.map((row) => textOf(row as EventOfPerson)));
    };
    const write = (some: readonly StoredFrame[]) => Promise.resolve(void frames.push(...some));
    return {
      rows,
      frames,
      ...createRig({ exceptions: { frames: { isStored: () => false, write }, ...exceptions }, insert, stored }),
    };
  }

  test('a stack whose symbols nobody uploaded says so; what came before is not completed again', async () => {
    const missing: string[] = [];
    const sets: ExceptionParts['sets'] = {
      ...exceptionParts().sets,
      record: (met) => Promise.resolve(void missing.push(...met.missing.map(({ ref }) => ref))),
    };
    const { rows, frames, exceptions } = exceptionRig({ sets });
    const one = scheduler();
    expect(await exceptions(one, [thrown(1), thrown(1)])).toMatchObject({ rows: 1, dropped: { duplicate: 1 } });
    expect(await exceptions(one, [thrown(1), thrown(2)])).toMatchObject({ rows: 1, dropped: { duplicate: 1 } });
    expect(rows.map((text) => text.includes('no map uploaded for chunk id: chunk-1'))).toEqual([true, true]);
    expect(rows.every((text) => text.includes('"$exception_types":["TypeError"]'))).toBe(true);
    expect(frames.map(({ projectId, symbolSetRef }) => [projectId, symbolSetRef])).toEqual([
      [7, 'chunk-1'],
      [7, 'chunk-1'],
    ]);
    expect(missing).toEqual(['chunk-1', 'chunk-1']);
  });

  test('frames that events of a batch share are stored once', async () => {
    const { frames, exceptions } = exceptionRig();
    await exceptions(scheduler(), [thrown(1), thrown(2), thrown(3)]);
    expect(frames).toHaveLength(1);
  });

  test('of other lanes too', async () => {
    const { rows, batch } = exceptionRig();
    expect(await batch([thrown(1), event(2)])).toMatchObject({ rows: 2 });
    expect(rows.map((text) => text.includes('"$exception_types"'))).toEqual([true, false]);
  });

  test("properties of the server are not a client's to claim; all others keep their bytes", async () => {
    const { rows, exceptions } = exceptionRig();
    const claimed = { $exception_issue_id: 'claimed', $exception_handled: 'claimed', $exception_level: 'error' };
    const body = JSON.stringify({ $exception_list: list, ...claimed, order: 1 }).replace('1}', '12345678901234567890}');
    await exceptions(scheduler(), [event(1, { event: '$exception' }, body)]);
    expect(rows).toEqual([expect.stringContaining('"$exception_level":"error","order":12345678901234567890')]);
    expect(rows).toEqual([expect.not.stringContaining('claimed')]);
  });

  test('a list that cannot be read is kept, with the reason', async () => {
    const { rows, exceptions } = exceptionRig();
    await exceptions(scheduler(), [event(1, { event: '$exception' }, '{"$exception_list":"none"}')]);
    expect(rows).toEqual([
      expect.stringContaining('{"$exception_list":"none","$cymbal_errors":["$exception_list is not a list"]}'),
    ]);
  });

  test('those that a rule drops are counted and not stored; replayed they are no duplicates', async () => {
    const filters = {
      type: 'AND',
      values: [{ key: '$exception_types', type: 'event', operator: 'exact', value: 'TypeError' }],
    };
    const rules = compileRules([{ id: 'r1', filters, samplingRate: 1 }]);
    const hits: string[] = [];
    const { rows, frames, exceptions } = exceptionRig({
      rules: { load: (ids) => Promise.resolve(new Map([...ids].map((id) => [id, rules]))) },
      hits: { add: (some) => Promise.resolve(void hits.push(...some.map(({ ruleId }) => ruleId))) },
    });
    const one = scheduler();
    for (let round = 0; round < 2; round++)
      expect(await exceptions(one, [thrown(1)])).toMatchObject({ rows: 0, dropped: { suppressed: 1 } });
    expect([rows, frames, hits]).toEqual([[], [], ['r1', 'r1']]);
  });

  test('those of other lanes are counted once for the whole batch: the count goes by its last record', async () => {
    const matching = { rules: [{ id: 'r1', samplingRate: 1, matches: () => true }], broken: [] };
    const calls: number[] = [];
    const { batchOfRecords } = exceptionRig({
      rules: { load: (ids) => Promise.resolve(new Map([...ids].map((id) => [id, matching]))) },
      hits: { add: (some) => Promise.resolve(void calls.push(some.length)) },
    });
    const records = Array.from({ length: 700 }, (_, number) => [thrown(number + 1)]);
    expect(await batchOfRecords(records)).toMatchObject({ rows: 0, dropped: { suppressed: 700 } });
    expect(calls).toEqual([700]);
  });

  test('Postgres, however long it is away, takes none of the time that symbols have', async () => {
    const passed = async (ms: number): Promise<void> => {
      const since = performance.now();
      await eventually(() => expect(performance.now() - since).toBeGreaterThan(ms));
    };
    const set = { id: 's1', projectId: 7, ref: 'chunk-1', storageKey: 'symbolsets/a', release: null };
    let isAway = true;
    const { rows, exceptions } = exceptionRig({
      sets: {
        ...exceptionParts().sets,
        find: async () => {
          await passed(600);
          if (isAway) {
            isAway = false;
            throw new Error('Postgres is away');
          }
          return new Map([['7:chunk-1', set]]);
        },
      },
      compiled: {
        load: async () => {
          await passed(5);
          throw new UnreadableSymbolsError('map invalid: it was read');
        },
      },
      deadlineMs: 500,
    });
    await exceptions(scheduler(), [thrown(1)]);
    expect(rows).toEqual([expect.stringContaining('map invalid: it was read')]);
  });

  test('they carry the id of their issue; those of a suppressed one are dropped', async () => {
    let isSuppressed = false;
    const ends: unknown[] = [];
    const { rows, exceptions } = exceptionRig({
      issues: {
        see: (seen) => {
          const issues = seen.map((one) => [`7:${one.fingerprint}`, { id: 'issue-1', isSuppressed }] as const);
          return Promise.resolve({ issues: new Map(issues), made: 1, regressed: 2 });
        },
      },
      onEnd: (counts) => void ends.push(counts),
    });
    const one = scheduler();
    expect(await exceptions(one, [thrown(1)])).toMatchObject({ rows: 1 });
    expect(rows).toEqual([expect.stringContaining('"$exception_issue_id":"issue-1"')]);
    isSuppressed = true;
    expect(await exceptions(one, [thrown(2)])).toMatchObject({ rows: 0, dropped: { suppressed: 1 } });
    expect(ends).toMatchObject([
      { completed: 1, suppressed: 0, newIssues: 1, regressedIssues: 2 },
      { completed: 0, suppressed: 1 },
    ]);
  });

  test('one that cannot be written is a dead letter alone; replayed it is no duplicate of itself', async () => {
    let breaks = true;
    const rules: ExceptionParts['rules'] = {
      load: () =>
        Promise.resolve(new Map([[7, { rules: [{ id: 'r', samplingRate: 1, matches: fails }], broken: [] }]])),
    };
    const fails = (reader: EventReader): boolean => {
      if (breaks && reader.valuesOf('n').texts[0] === '2') throw new TypeError('of a rule');
      return false;
    };
    const { rig, exceptions } = exceptionRig({ rules });
    const one = scheduler();
    expect(await exceptions(one, [thrown(1), thrown(2, { n: 2 })])).toMatchObject({ rows: 1, deadLetters: 1 });
    expect(rig.letters.map(({ letter }) => letter.step)).toEqual(['complete-exceptions']);
    breaks = false;
    expect(await exceptions(one, [thrown(2, { n: 2 })])).toMatchObject({ rows: 1, deadLetters: 0, dropped: {} });
  });

  describe('whose symbols are not there yet', () => {
    const set = { id: 's1', projectId: 7, ref: 'chunk-1', storageKey: 'symbolsets/a', release: null };
    const sets: ExceptionParts['sets'] = {
      ...exceptionParts().sets,
      find: () => Promise.resolve(new Map([['7:chunk-1', set]])),
    };

    test('are done without them at the deadline', async () => {
      const ends: unknown[] = [];
      const { rows, exceptions } = exceptionRig({
        sets,
        compiled: { load: () => new Promise(() => undefined) },
        deadlineMs: 50,
        onEnd: (counts) => void ends.push(counts),
      });
      expect(await exceptions(scheduler(), [thrown(1)])).toMatchObject({ rows: 1 });
      expect(rows).toEqual([expect.stringContaining('symbols were not read in time')]);
      expect(ends).toMatchObject([{ completed: 1, suppressed: 0, lateSets: 1 }]);
    });

    test('are done without them at once when the storage is away', async () => {
      const away: unknown[] = [];
      const { rows, exceptions } = exceptionRig({ sets, onAway: (error) => void away.push(error) });
      expect(await exceptions(scheduler(), [thrown(1)])).toMatchObject({ rows: 1 });
      expect(rows).toEqual([expect.stringContaining('symbols were not read in time')]);
      expect(away).toEqual([new Error('there is no storage')]);
    });

    test('leave their slot to a batch with the same event meanwhile: both end', async () => {
      const broken = new UnreadableSymbolsError('map invalid: it is none');
      const found = Promise.withResolvers<never>();
      const { rows, exceptions } = exceptionRig({ sets, compiled: { load: () => found.promise } }, () => true);
      const one = scheduler();
      const [first, second] = [exceptions(one, [thrown(1)]), exceptions(one, [thrown(1)])];
      let begun = false;
      await one.run('main', () => Promise.resolve(void (begun = true)));
      found.reject(broken);
      expect([(await first).rows, (await second).rows, begun]).toEqual([1, 0, true]);
      expect(rows).toEqual([expect.stringContaining('map invalid: it is none')]);
    });
  });
});
