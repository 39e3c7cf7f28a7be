import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { learnedNamesMax, valueKinds, type ValueKind } from '@millrace/contracts/property-types.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import { createDefinitionStore } from './definition-store.ts';
import type { PropertyCounts } from './definition-store.ts';
import type { LearnedProperty } from './unwritten.ts';

let database: TestDatabase;
let admin: ReturnType<typeof createPool>;
let consumer: ReturnType<typeof createPool>;

beforeAll(async () => {
  database = await createTestDatabase({
    template: 'postgres',
    migrate: async (url) => void (await migratePostgres(url, { log: { info: () => undefined } })),
  });
  const url = new URL(database.url);
  admin = createPool(url.href, { applicationName: 'test', onError: () => undefined });
  url.searchParams.set('options', `-c role=${postgresRoles.consumer}`);
  consumer = createPool(url.href, { applicationName: 'test', onError: () => undefined });
  await admin.query(`INSERT INTO organizations (id, name) VALUES ('01900000-0000-7000-8000-000000000001', 'o')`);
  for (const id of [1, 2, 3])
    await admin.query(
      `INSERT INTO projects (id, uuid, organization_id, name, api_token) VALUES ($1, gen_random_uuid(), '01900000-0000-7000-8000-000000000001', 'p', $2)`,
      [id, `phc_${id}`],
    );
});
afterAll(async () => {
  await consumer?.end();
  await admin?.end();
  await database?.drop();
});

const nowMs = Date.now();
const at = (ms: number) => () => ({ firstMs: ms, lastMs: ms, firstValueMs: ms });
const property = (name: string, projectId = 1): LearnedProperty => ({
  projectId,
  owner: 'event',
  groupTypeIndex: -1,
  name,
  counts: [],
  met: 0,
  isSettled: false,
  reopenings: null,
});
const values = <Property>(
  property: Property,
  counts: Partial<Record<ValueKind, number>>,
  reopenings: number | null = null,
) => ({
  property,
  counts: met(counts),
  reopenings,
});
const event = (name: string, projectId = 1) => ({ projectId, name, properties: new Set<never>(), shapes: new Map() });
const met = (counts: Partial<Record<ValueKind, number>>): number[] => valueKinds.map((kind) => counts[kind] ?? 0);

async function typeOf(name: string, projectId = 1): Promise<string | null | undefined> {
  const { rows } = await admin.query<{ property_type: string | null }>(
    'SELECT property_type FROM property_definitions WHERE name = $1 AND project_id = $2',
    [name, projectId],
  );
  return rows[0]?.property_type;
}

test.each<[string, Partial<Record<ValueKind, number>>, string | null]>([
  ['numbers', { numbers: 20 }, 'Numeric'],
  ['booleans', { booleans: 20 }, 'Boolean'],
  ['times', { times: 25 }, 'DateTime'],
  ['lists', { lists: 20 }, 'List'],
  ['texts', { texts: 20 }, 'String'],
  ['objects', { objects: 20 }, 'String'],
  ['mixed', { numbers: 19, texts: 1 }, 'String'],
  ['few', { numbers: 19 }, null],
  ['none', {}, null],
])('%s settle as all values say, once there are twenty (contract/decisions 74)', async (name, counts, type) => {
  const store = createDefinitionStore(consumer);
  const given = property(name);
  const stored = await store.writeProperties([values(given, counts)], at(Date.now()));
  expect(stored.get(given)).toEqual({ isSettled: type !== null, reopenings: 0 });
  expect(await typeOf(name)).toBe(type);
});

test('a settled type stays, whatever comes; the values are counted by their type', async () => {
  const store = createDefinitionStore(consumer);
  const given = property('price');
  await store.writeProperties([values(given, { numbers: 20 })], at(nowMs));
  await store.writeProperties([values(given, { texts: 500 })], at(nowMs + 1));
  expect(await typeOf('price')).toBe('Numeric');
  const { rows } = await admin.query(`SELECT numbers, texts FROM property_definitions WHERE name = 'price'`);
  expect(rows).toEqual([{ numbers: '20', texts: '500' }]);
});

test('two consumers that count at once settle one type, of all that both have met', async () => {
  const store = createDefinitionStore(consumer);
  const counts = [{ numbers: 10 }, { texts: 10 }];
  await Promise.all(counts.map((one) => store.writeProperties([values(property('shared'), one)], at(nowMs))));
  expect(await typeOf('shared')).toBe('String');
});

test('few values settle an hour after the first of them, none never', async () => {
  const store = createDefinitionStore(consumer);
  const names = ['rare', 'fresh', 'empty', 'long empty'];
  const empty = names.map((name) => values(property(name), {}));
  const write = async (given: readonly PropertyCounts[], ms: number): Promise<void> =>
    void (await store.writeProperties(given, at(ms)));
  await write(empty, Date.now() - 7_200_000);
  const one = (name: string): PropertyCounts => values(property(name), { booleans: 1 });
  await write([one('rare')], Date.now() - 3_660_000);
  await write([one('fresh'), one('long empty')], Date.now());
  expect(await Promise.all(names.map((name) => typeOf(name)))).toEqual(['Boolean', null, null, null]);
  await store.settleOld();
  expect(await Promise.all(names.map((name) => typeOf(name)))).toEqual(['Boolean', null, null, null]);
  await admin.query(
    `UPDATE property_definitions SET first_value_at = now() - interval '61 minutes' WHERE name = 'fresh'`,
  );
  await store.settleOld();
  expect(await Promise.all(names.map((name) => typeOf(name)))).toEqual(['Boolean', 'Boolean', null, null]);
});

test('old types settle however many there are', async () => {
  await admin.query(
    `INSERT INTO property_definitions (project_id, type, name, numbers, first_seen_at, last_seen_at, first_value_at)
     SELECT 2, 'event', 'old' || n, 1, now(), now(), now() - interval '2 hours' FROM generate_series(1, 2500) AS n`,
  );
  await createDefinitionStore(consumer).settleOld();
  const { rows } = await admin.query(
    `SELECT property_type, count(*)::int AS names FROM property_definitions WHERE name LIKE 'old%' GROUP BY property_type`,
  );
  expect(rows).toEqual([{ property_type: 'Numeric', names: 2_500 }]);
  await admin.query(`DELETE FROM property_definitions WHERE name LIKE 'old%'`);
});

test('a project without names is called complete; one whose name was missed is not, and its parts are read again', async () => {
  const store = createDefinitionStore(consumer);
  const ids = [11, 12];
  for (const id of ids)
    await admin.query(
      `INSERT INTO projects (id, uuid, organization_id, name, api_token) VALUES ($1, gen_random_uuid(), '01900000-0000-7000-8000-000000000001', 'p', $2)`,
      [id, `phc_${id}`],
    );
  await store.writeEvents([event('known', 12)], at(nowMs));
  const complete = async (): Promise<unknown[]> =>
    (await admin.query<object>('SELECT id FROM projects WHERE definitions_complete_at IS NOT NULL')).rows;
  expect(await complete()).toEqual([]);
  await store.complete(ids);
  expect(await complete()).toEqual([{ id: 11 }]);
  await admin.query(`INSERT INTO definition_backfills VALUES (11, 'run'), (11, '202611'), (12, '202611')`);
  await store.markIncomplete([11]);
  expect(await complete()).toEqual([]);
  const { rows } = await admin.query(
    'SELECT project_id, is_read FROM definition_backfills ORDER BY project_id, period',
  );
  expect(rows.map(Object.values)).toEqual([
    [11, false],
    [11, false],
    [12, true],
  ]);
});

test('names that were only null are not looked at when old types settle', async () => {
  const { rows } = await admin.query<{ condition: string }>(
    `SELECT pg_get_expr(indpred, indrelid) AS condition FROM pg_index WHERE indexrelid = 'property_definitions_unsettled_idx'::regclass`,
  );
  expect(rows).toEqual([{ condition: '((property_type IS NULL) AND (first_value_at IS NOT NULL))' }]);
});

describe('news of types', () => {
  const news = async (): Promise<object[]> =>
    (await admin.query<object>(`DELETE FROM changes WHERE topic = 'property_type' RETURNING project_id, keys`)).rows;
  const ofProject = (...keys: string[]) => [{ project_id: 2, keys }];
  const reopen = async (name: string): Promise<unknown> =>
    await admin.query(
      `UPDATE property_definitions SET property_type = NULL, first_value_at = NULL, numbers = 0, reopenings = coalesce(reopenings, 0) + 1
       WHERE name = $1`,
      [name],
    );

  test('a settled type is news of its project alone, also in the statement that adds the name', async () => {
    const store = createDefinitionStore(consumer);
    const given = property('news', 2);
    await news();
    await store.writeProperties([values(given, { numbers: 19 })], at(nowMs));
    expect(await news()).toEqual([]);
    await store.writeProperties([values(given, { numbers: 1 })], at(nowMs));
    expect(await news()).toEqual(ofProject());
    await store.writeProperties([values(given, { numbers: 1 }), values(property('open', 2), { texts: 1 })], at(nowMs));
    expect(await news()).toEqual([]);
    await store.writeProperties([values(property('at once', 2), { texts: 20 })], at(nowMs));
    expect(await news()).toEqual(ofProject());
  });

  test('a type that is opened again is named, also one that was open; later counts are no news', async () => {
    const store = createDefinitionStore(consumer);
    const given = property('a:b', 2);
    await store.writeProperties([values(given, { numbers: 20 })], at(nowMs));
    await news();
    for (let time = 0; time < 2; time++) {
      await reopen('a:b');
      expect(await news()).toEqual(ofProject('event:-1:a:b'));
    }
    await store.writeProperties([values(given, { texts: 3 })], at(nowMs));
    expect(await news()).toEqual([]);
  });

  test('counts from before a type was opened again are refused; those from then on settle it', async () => {
    const store = createDefinitionStore(consumer);
    const given = property('again', 2);
    const write = async (counts: Partial<Record<ValueKind, number>>, reopenings: number | null) =>
      (await store.writeProperties([values(given, counts, reopenings)], at(Date.now()))).get(given);
    expect(await write({ numbers: 20 }, null)).toEqual({ isSettled: true, reopenings: 0 });
    await reopen('again');
    expect(await write({ numbers: 500 }, 0)).toEqual({ isSettled: false, reopenings: 1 });
    await store.settleOld();
    expect(await write({ texts: 19 }, 1)).toEqual({ isSettled: false, reopenings: 1 });
    expect(await write({ texts: 1 }, null)).toEqual({ isSettled: true, reopenings: 1 });
    expect(await typeOf('again', 2)).toBe('String');
    const { rows } = await admin.query(`SELECT numbers, texts FROM property_definitions WHERE name = 'again'`);
    expect(rows).toEqual([{ numbers: '0', texts: '20' }]);
  });
});

test('events keep their first time and move their last', async () => {
  const store = createDefinitionStore(consumer);
  const paid = event('paid');
  for (const atMs of [nowMs, nowMs + 5_000, nowMs + 1_000])
    expect(await store.writeEvents([paid], at(atMs))).toEqual(new Set([paid]));
  const { rows } = await admin.query(`SELECT first_seen_at, last_seen_at FROM event_definitions WHERE name = 'paid'`);
  expect(rows).toEqual([{ first_seen_at: new Date(nowMs), last_seen_at: new Date(nowMs + 5_000) }]);
});

test('a project has so many names and no more; those that it has go on, and another project has its own', async () => {
  await admin.query(
    `INSERT INTO property_definitions (project_id, type, name, first_seen_at, last_seen_at)
     SELECT 3, 'event', 'k' || n, now(), now() FROM generate_series(1, $1) AS n`,
    [learnedNamesMax - 1],
  );
  await admin.query(
    `INSERT INTO event_definitions (project_id, name, first_seen_at, last_seen_at)
     SELECT 3, 'e' || n, now(), now() FROM generate_series(1, $1) AS n`,
    [learnedNamesMax],
  );
  const store = createDefinitionStore(consumer);
  const given = [property('a', 3), property('b', 3), property('k1', 3), property('b', 1)];
  const stored = await store.writeProperties(
    given.map((one) => values(one, { numbers: 1 })),
    at(nowMs),
  );
  expect([...stored.keys()].map(({ name, projectId }) => [projectId, name])).toEqual(
    expect.arrayContaining([
      [1, 'b'],
      [3, 'a'],
      [3, 'k1'],
    ]),
  );
  expect(stored.size).toBe(3);
  const [known, beyond] = [event('e1', 3), event('beyond', 3)];
  expect(await store.writeEvents([known, beyond], at(nowMs))).toEqual(new Set([known]));
  const kinds = await store.findNames([3, 999]);
  expect(kinds.map(({ names: { length }, ...kind }) => ({ ...kind, length }))).toEqual([
    { projectId: 3, owner: 'events', groupTypeIndex: -1, length: learnedNamesMax },
    { projectId: 3, owner: 'event', groupTypeIndex: -1, length: learnedNamesMax },
  ]);
  expect(kinds[1]?.names).toEqual(expect.arrayContaining(['a', 'k1']));
});

test('names of a project that is gone are left out, and so are those of no project', async () => {
  const store = createDefinitionStore(consumer);
  expect(await store.writeEvents([event('x', 999)], at(nowMs))).toEqual(new Set());
  expect(await store.writeProperties([values(property('x', 999), { texts: 1 })], at(nowMs))).toEqual(new Map());
});

test('what carries what is written once, and only for names that Postgres has', async () => {
  const store = createDefinitionStore(consumer);
  const pair = { projectId: 1, event: 'carried', property: 'plan' };
  await store.writeEvents([event('carried')], at(nowMs));
  const names = ['plan', 'amount'].map((name) => values(property(name), {}));
  await store.writeProperties([...names, values({ ...property('age'), owner: 'person' }, {})], at(nowMs));
  await store.writePairs([pair]);
  await store.writePairs([
    pair,
    { ...pair, property: 'amount' },
    { ...pair, property: 'age' },
    { ...pair, property: 'unknown' },
    { ...pair, event: 'unknown' },
    { ...pair, projectId: 2 },
  ]);
  const { rows } = await admin.query(`SELECT event, property FROM event_properties ORDER BY event, property`);
  expect(rows).toEqual([
    { event: 'carried', property: 'amount' },
    { event: 'carried', property: 'plan' },
  ]);
});
