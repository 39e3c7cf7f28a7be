import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenantEngine } from '../../../test/open-tenant-engine.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { findGeneration } from './find-generation.ts';
import { findTraceEvents, type TraceReader } from './find-trace-events.ts';
import type { ReadBounds } from '../../../queries/stream/read-stored-events.ts';
import type { StoredTrace } from './stored-event.ts';

let tenant: TestTenant;
let opened: ReturnType<typeof openTenantEngine>;
let teamId: number;

const headersOf = (id: number) => tenantHeaders(tenant.clickhouse.tokenSecret, id);

beforeAll(async () => {
  tenant = await openTenant();
  opened = openTenantEngine(tenant.clickhouse, headersOf);
}, 60_000);
afterAll(async () => {
  await opened?.close();
  await tenant?.close();
});
beforeEach(() => void (teamId = randomTeamId()));

const window = { from: '2026-03-01 10:00:00.000000', to: '2026-03-01 11:00:00.000000' };
const at = (clock: string): string => `2026-03-01 ${clock}.000000`;
const shownAt = (clock: string): string => `2026-03-01T${clock}.000000Z`;

/** A row of the table: an event of the trace `t` unless it says otherwise. */
function row(clock: string, properties: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  const all = { $ai_trace_id: 't', ...properties };
  return {
    team_id: teamId,
    uuid: randomUUID(),
    event: '$ai_span',
    distinct_id: 'd',
    timestamp: at(clock),
    created_at: at(clock),
    person_mode: 'full',
    properties_text: JSON.stringify(all),
    properties: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)])),
    ...more,
  };
}
type Row = ReturnType<typeof row>;

const stored = async (...events: object[]): Promise<void> => tenant.insert({ events });

const reader = (id = teamId): TraceReader => ({
  teamId: id,
  organizationId: 'o',
  keyId: undefined,
  signal: new AbortController().signal,
});

const find = (traceId = 't', bounds?: ReadBounds, id = teamId): Promise<StoredTrace | null> =>
  findTraceEvents({ tenantEngine: opened.engine }, { traceId, window }, reader(id), bounds && { bounds });

const uuidsOf = (trace: StoredTrace | null): string[] => trace?.events.map(({ uuid }) => uuid) ?? [];
const idsOf = (...rows: Row[]): string[] => rows.map(({ uuid }) => uuid);

describe('the events of a trace (contract/llm-surveys 6.3)', () => {
  test('are found by its id, the earliest first, with their properties as they were sent', async () => {
    const text = '{"$ai_trace_id":"t","n":12345678901234567890,"10":1.0,"1":"a\\tb\\n ü 😀"}';
    const [later, first] = [row('10:30:00'), row('10:05:00', {}, { properties_text: text, event: '$ai_generation' })];
    await stored(later, first, row('10:20:00', { $ai_trace_id: 'other' }));
    const trace = await find();
    expect(trace).toEqual({
      events: [
        { uuid: first.uuid, event: '$ai_generation', timestamp: shownAt('10:05:00'), properties: Buffer.from(text) },
        {
          uuid: later.uuid,
          event: '$ai_span',
          timestamp: shownAt('10:30:00'),
          properties: Buffer.from(later.properties_text),
        },
      ],
      eventsOmitted: 0,
    });
  });

  test('are of six names', async () => {
    const named = (event: string): Row => row('10:10:00', {}, { event });
    const names = ['$ai_span', '$ai_generation', '$ai_embedding', '$ai_metric', '$ai_feedback', '$ai_trace'];
    await stored(...[...names, '$ai_evaluation', '$pageview'].map(named));
    expect((await find())?.events.map(({ event }) => event).sort()).toEqual(names.sort());
  });

  test('lie in the window or up to ten minutes beside it', async () => {
    const [before, inside, behind] = [row('09:50:00'), row('10:00:00'), row('11:10:00')];
    await stored(row('09:49:59'), before, inside, behind, row('11:10:01'));
    expect(uuidsOf(await find())).toEqual(idsOf(before, inside, behind));
  });

  test('are none where none of them lies in the window itself', async () => {
    await stored(row('09:59:59'), row('11:00:01'));
    expect(await find()).toBeNull();
    expect(await find('t', { eventsMax: 1, bytesMax: 1_000 })).toBeNull();
    await stored(row('11:00:00'));
    expect((await find())?.events).toHaveLength(3);
  });

  test('of another project are never found', async () => {
    await stored(row('10:10:00'));
    const other = randomTeamId();
    expect(await find('t', undefined, other)).toBeNull();
    await stored(row('10:10:00', {}, { team_id: other }));
    expect((await find('t', undefined, other))?.events).toHaveLength(1);
  });

  test('count once when they were stored twice', async () => {
    const twice = row('10:10:00');
    await stored(twice);
    await stored(twice);
    await stored({ ...twice, distinct_id: 'e' });
    expect(uuidsOf(await find())).toEqual(idsOf(twice));
    const one = { eventsMax: 1, bytesMax: 1_000 };
    expect(await find('t', one)).toMatchObject({ eventsOmitted: 0 });
    await stored(row('10:11:00'));
    expect(await find('t', one)).toMatchObject({ eventsOmitted: 1 });
  });

  test('are found by an id that is a number, as its text', async () => {
    const event = row('10:10:00', {}, { properties_text: '{"$ai_trace_id":7}', properties: { $ai_trace_id: '7' } });
    await stored(event);
    expect(uuidsOf(await find('7'))).toEqual(idsOf(event));
    expect(await find('7.0')).toBeNull();
  });

  test('are found by an id that the map of properties does not hold', async () => {
    const id = 'ü'.repeat(8_000);
    const event = row('10:10:00', {}, { properties: { a: 'b' }, $ai_trace_id: id });
    await stored(event);
    expect(uuidsOf(await find(id))).toEqual(idsOf(event));
  });

  test.each(["t' OR 1 = 1 --", '%', '{trace}', '', 't\0', '\\'])('the id %j is a value', async (id) => {
    await stored(row('10:10:00'));
    expect(await find(id)).toBeNull();
    const event = row('10:10:00', { $ai_trace_id: id });
    await stored(event);
    expect(uuidsOf(await find(id))).toEqual(idsOf(event));
  });
});

test('a trace, and an event, is 503 without ClickHouse', async () => {
  const away = openTenantEngine({ ...tenant.clickhouse, url: 'http://127.0.0.1:1' }, headersOf);
  const parts = { tenantEngine: away.engine };
  await expect(findTraceEvents(parts, { traceId: 't', window }, reader())).rejects.toMatchObject({ status: 503 });
  await expect(findGeneration(parts, { uuid: randomUUID(), window }, reader())).rejects.toMatchObject({ status: 503 });
  await away.close();
});

test('a trace, and an event, takes a slot of queries, and its error speaks of these', async () => {
  const event = row('10:10:00');
  await stored(event);
  const read = async (slots: { queriesMax?: number; streamsMax?: number }) => {
    const { engine: tenantEngine, close } = openTenantEngine(tenant.clickhouse, headersOf, slots);
    const found = await Promise.allSettled([
      findTraceEvents({ tenantEngine }, { traceId: 't', window }, reader()),
      findGeneration({ tenantEngine }, { uuid: event.uuid, window }, reader()),
    ]);
    await close();
    return found;
  };
  expect((await read({ streamsMax: 0 })).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  for (const refused of await read({ queriesMax: 0 }))
    expect(refused).toMatchObject({
      reason: { code: 'throttled', message: expect.stringMatching(/^This project is already running 0 queries\./) },
    });
});

describe('more events than the bounds let in (contract/decisions 58)', () => {
  test('are the newest of them, and the others are counted', async () => {
    const rows = ['10:01:00', '10:02:00', '10:03:00', '10:04:00', '10:05:00'].map((clock) => row(clock));
    await stored(...rows);
    expect(uuidsOf(await find('t', { eventsMax: 5, bytesMax: 1_000 }))).toEqual(idsOf(...rows));
    const trace = await find('t', { eventsMax: 3, bytesMax: 1_000 });
    expect(uuidsOf(trace)).toEqual(idsOf(...rows.slice(2)));
    expect(trace?.eventsOmitted).toBe(2);
  });

  test('at one moment, those with the greater uuids are the newer', async () => {
    const rows = Array.from({ length: 6 }, () => row('10:01:00')).sort((one, other) =>
      one.uuid < other.uuid ? -1 : 1,
    );
    await stored(...rows);
    const trace = await find('t', { eventsMax: 4, bytesMax: 1_000 });
    expect(uuidsOf(trace)).toEqual(idsOf(...rows.slice(2)));
    expect(trace?.eventsOmitted).toBe(2);
  });

  test('stay below so many bytes, and a large old one leaves those before it out too', async () => {
    const sized = (clock: string, size: number): Row => row(clock, {}, { properties_text: 'ü'.repeat(size / 2) });
    const rows = [sized('10:01:00', 10), sized('10:02:00', 500), sized('10:03:00', 200), sized('10:04:00', 300)];
    await stored(...rows);
    expect((await find('t', { eventsMax: 9, bytesMax: 1_010 }))?.events).toHaveLength(4);
    const trace = await find('t', { eventsMax: 9, bytesMax: 999 });
    expect(uuidsOf(trace)).toEqual(idsOf(...rows.slice(2)));
    expect(trace?.eventsOmitted).toBe(2);
    const exactly = await find('t', { eventsMax: 9, bytesMax: 1_000 });
    expect(uuidsOf(exactly)).toEqual(idsOf(...rows.slice(1)));
  });

  test('hold the newest event at any size', async () => {
    const [old, newest] = [row('10:01:00'), row('10:02:00', { $ai_input: 'x'.repeat(500) })];
    await stored(old, newest);
    const trace = await find('t', { eventsMax: 9, bytesMax: 100 });
    expect(uuidsOf(trace)).toEqual(idsOf(newest));
    expect(trace?.eventsOmitted).toBe(1);
  });

  test('count as found by those that are left out', async () => {
    const [inside, behind] = [row('10:59:00'), row('11:05:00')];
    await stored(inside, behind);
    const trace = await find('t', { eventsMax: 1, bytesMax: 1_000 });
    expect(uuidsOf(trace)).toEqual(idsOf(behind));
    expect(trace?.eventsOmitted).toBe(1);
  });

  test.each<[string, ReadBounds, Record<string, unknown>]>([
    ['events', { eventsMax: 3, bytesMax: 1_000 }, {}],
    ['bytes', { eventsMax: 9, bytesMax: 1_000 }, { properties_text: 'x'.repeat(300) }],
  ])('are the newest, and all others are counted, while events come in between (%s)', async (_, bounds, more) => {
    const old = ['10:01:00', '10:02:00', '10:03:00', '10:04:00', '10:05:00'].map((clock) => row(clock, {}, more));
    // The first of these is older than all that is read the second time.
    const late = ['10:00:00', '10:03:30', '10:06:00'].map((clock) => row(clock, {}, more));
    await stored(...old);
    const tenantEngine = {
      ...opened.engine,
      async run(query: Parameters<typeof opened.engine.run>[0]) {
        const measured = await opened.engine.run(query);
        await stored(...late);
        return measured;
      },
    };
    const trace = await findTraceEvents({ tenantEngine }, { traceId: 't', window }, reader(), { bounds });
    expect(uuidsOf(trace)).toEqual([...idsOf(...old).slice(3), ...idsOf(...late).slice(2)]);
    expect(trace?.eventsOmitted).toBe(4);
  });

  test('are usually ten thousand', async () => {
    const minuteOf = (index: number): string => String(Math.floor(index / 200)).padStart(2, '0');
    await stored(...Array.from({ length: 10_002 }, (_, index) => row(`10:${minuteOf(index)}:00`)));
    const trace = await find();
    expect(trace?.events).toHaveLength(10_000);
    expect(trace?.eventsOmitted).toBe(2);
  });
});

describe('an event by its uuid (contract/llm-surveys 6.3)', () => {
  const findEvent = (uuid: string, id = teamId) =>
    findGeneration({ tenantEngine: opened.engine }, { uuid, window }, reader(id));

  test.each(['$ai_generation', '$ai_span', '$ai_embedding', '$ai_evaluation'])(
    'is found when it is %s',
    async (event) => {
      const generation = row('10:10:00', { $ai_trace_id: 7 }, { event });
      await stored(row('10:10:00'), generation, generation);
      const found = {
        uuid: generation.uuid,
        event,
        timestamp: shownAt('10:10:00'),
        properties: Buffer.from(generation.properties_text),
      };
      expect(await findEvent(generation.uuid)).toEqual(found);
      expect(await findEvent(generation.uuid.toUpperCase())).toEqual(found);
      expect(await findEvent(generation.uuid, randomTeamId())).toBeNull();
    },
  );

  test.each(['$ai_trace', '$ai_metric', '$ai_feedback', '$pageview'])('is not found when it is %s', async (event) => {
    const other = row('10:10:00', {}, { event });
    await stored(other);
    expect(await findEvent(other.uuid)).toBeNull();
  });

  test('lies in the window, which is not widened', async () => {
    const [before, first, last, behind] = [row('09:59:59'), row('10:00:00'), row('11:00:00'), row('11:00:01')];
    await stored(before, first, last, behind);
    const found = await Promise.all(idsOf(before, first, last, behind).map((uuid) => findEvent(uuid)));
    expect(found.map((event) => event?.uuid)).toEqual([undefined, first.uuid, last.uuid, undefined]);
  });

  // contract/decisions 53
  test.each(['', 'g', "' OR 1 = 1", '0190f3a0-0000-7000-8000-00000000000'])(
    'is none by %j, which is no uuid, and ClickHouse is not asked',
    async (uuid) => {
      const stream = (): never => {
        throw new Error('it is asked');
      };
      expect(await findGeneration({ tenantEngine: { stream } }, { uuid, window }, reader())).toBeNull();
    },
  );
});
