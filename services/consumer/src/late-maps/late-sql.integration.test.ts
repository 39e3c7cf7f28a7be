import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { migrateClickhouse } from '@millrace/clickhouse/migrations/migrate.ts';
import { prepareClickhouse, randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { connectLateClickhouse, type LateClickhouse } from './late-clickhouse.ts';
import { clearRuns, writeRun } from './late-sql.ts';

const projectId = randomTeamId();
const day = '2026-11-20';
let client: ReturnType<typeof createClickhouse>;
let late: LateClickhouse;
let connect: (signal: AbortSignal) => LateClickhouse;

beforeAll(async () => {
  const { url, writer, maintainer } = await prepareClickhouse(async ({ url: at, admin }) => {
    await migrateClickhouse(
      { url: at, user: admin.username, password: admin.password },
      { log: { info: () => undefined } },
    );
  });
  const loginOf = ({ username, password }: typeof writer) => ({ url, user: username, password });
  client = createClickhouse(loginOf(writer));
  connect = (signal) => connectLateClickhouse(loginOf(writer), loginOf(maintainer), signal);
  late = connect(new AbortController().signal);
}, 60_000);
afterAll(async () => {
  await late?.close();
  await client?.close();
}, 30_000);

interface Given {
  uuid: string;
  distinct_id: string;
}

const keyOf = ({ uuid, distinct_id }: Given): string => `${uuid} ${distinct_id}`;

async function insert(events: readonly Given[]): Promise<void> {
  const values = events.map((event) => ({
    ...event,
    team_id: projectId,
    event: '$exception',
    timestamp: `${day} 10:00:00`,
    properties_text: '{"a":"before"}',
    properties: { a: 'before' },
  }));
  await client.insert({ table: 'analytics.events', values, format: 'JSONEachRow' });
}

/** Stores new properties as a run: each event gets its own. */
const storeRun = (run: string, events: readonly Given[]) =>
  late.store(
    events.map((event) => ({
      ...event,
      run,
      team_id: projectId,
      properties_text: JSON.stringify({ a: keyOf(event) }),
      properties: new Map([['a', keyOf(event)]]),
    })),
    run,
  );

/** Properties of events by their text and by their map. */
async function stored(events: readonly Given[]): Promise<string[][]> {
  const result = await client.query({
    query: `SELECT uuid, distinct_id, JSONExtractString(properties_text, 'a') AS text, properties['a'] AS map FROM analytics.events
      WHERE team_id = {team:Int64} AND uuid IN {uuids:Array(UUID)}`,
    query_params: { team: projectId, uuids: events.map(({ uuid }) => uuid) },
    format: 'JSONEachRow',
  });
  const rows = await result.json<Given & { text: string; map: string }>();
  return events.map((event) =>
    rows.filter((row) => keyOf(row) === keyOf(event)).flatMap(({ text, map }) => [text, map]),
  );
}

test('an event is known by its uuid and its distinct id', async () => {
  const uuid = randomUUID();
  const events = ['b', 'a', 'c'].map((distinct_id) => ({ uuid, distinct_id }));
  await insert(events);
  const run = randomUUID();
  await storeRun(run, events.slice(0, 2));
  await late.run(writeRun({ projectId, day }, run));
  expect(await stored(events)).toEqual([
    [`${uuid} b`, `${uuid} b`],
    [`${uuid} a`, `${uuid} a`],
    ['before', 'before'],
  ]);
});

test('a run that another process has ended changes nothing', async () => {
  const event = { uuid: randomUUID(), distinct_id: 'a' };
  await insert([event]);
  const run = randomUUID();
  await storeRun(run, [event]);
  await late.run(clearRuns({ projectId }));
  await late.run(writeRun({ projectId, day }, run));
  expect(await stored([event])).toEqual([['before', 'before']]);
});

test('a run that ends between the look for its events and the look for their properties is an error, and changes nothing', async () => {
  const events = ['a', 'b'].map((distinct_id) => ({ uuid: randomUUID(), distinct_id }));
  await insert(events);
  const run = randomUUID();
  await storeRun(run, events.slice(0, 1));
  const { sql, params } = writeRun({ projectId, day }, run);
  // The run names one of the two: as if the other had gone.
  const widened = sql.replace(/\(distinct_id, uuid\) IN \(.*\)/, 'uuid IN ({first:UUID}, {second:UUID})');
  expect(widened).not.toBe(sql);
  const [first = '', second = ''] = events.map(({ uuid }) => uuid);
  await expect(late.run({ sql: widened, params: { ...params, first, second } })).rejects.toThrow(
    'has no row of the run',
  );
  expect(await stored(events)).toEqual([
    ['before', 'before'],
    ['before', 'before'],
  ]);
});

/** Its first row comes after a second, its last one after a minute. */
const slow = { sql: "SELECT 'x' AS text, sleepEachRow(1) FROM numbers(60) SETTINGS max_block_size = 1", params: {} };

test.each<[string, (stopped: LateClickhouse) => Promise<unknown>]>([
  ['a read', (stopped) => stopped.rows(slow)],
  ['the read of a page', (stopped) => stopped.exceptions(slow, 1_000_000)],
  // Like an update it answers nothing before its end.
  ['an update', (stopped) => stopped.run({ ...slow, sql: `${slow.sql} FORMAT Null` })],
])(
  '%s ends when the process stops',
  async (_, begin) => {
    const atMs = performance.now();
    const stopped = connect(AbortSignal.timeout(1_500));
    await expect(begin(stopped)).rejects.toThrow();
    expect(performance.now() - atMs).toBeLessThan(20_000);
    await expect(begin(stopped)).rejects.toThrow();
    await stopped.close();
  },
  90_000,
);
