import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { learnedNamesMax } from '@millrace/contracts/property-types.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import { createDefinitionStore } from './definition-store.ts';
import type { LearnedProperty } from './project-definitions.ts';
import { valueKinds, type ValueKind } from './value-kind.ts';

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
const at = (ms: number) => () => ({ firstMs: ms, lastMs: ms });
const property = (name: string, projectId = 1): LearnedProperty => ({
  projectId,
  owner: 'event',
  groupTypeIndex: -1,
  name,
  counts: [],
  met: 0,
  isSettled: false,
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
  const stored = await store.writeProperties([{ property: given, counts: met(counts) }], at(Date.now()));
  expect(stored.get(given)).toBe(type !== null);
  expect(await typeOf(name)).toBe(type);
});

test('a settled type stays, whatever comes; the values are counted by their type', async () => {
  const store = createDefinitionStore(consumer);
  const given = property('price');
  await store.writeProperties([{ property: given, counts: met({ numbers: 20 }) }], at(nowMs));
  await store.writeProperties([{ property: given, counts: met({ texts: 500 }) }], at(nowMs + 1));
  expect(await typeOf('price')).toBe('Numeric');
  const { rows } = await admin.query(`SELECT numbers, texts FROM property_definitions WHERE name = 'price'`);
  expect(rows).toEqual([{ numbers: '20', texts: '500' }]);
});

test('two consumers that count at once settle one type, of all that both have met', async () => {
  const store = createDefinitionStore(consumer);
  const counts = [met({ numbers: 10 }), met({ texts: 10 })];
  await Promise.all(
    counts.map((one) => store.writeProperties([{ property: property('shared'), counts: one }], at(nowMs))),
  );
  expect(await typeOf('shared')).toBe('String');
});

test('few values settle after an hour, none never', async () => {
  const store = createDefinitionStore(consumer);
  const given = ['rare', 'fresh', 'empty'].map((name) => property(name));
  const values = [met({ booleans: 1 }), met({ booleans: 1 }), met({})];
  await store.writeProperties(
    given.map((one, index) => ({ property: one, counts: values[index] as number[] })),
    at(Date.now()),
  );
  await admin.query(
    `UPDATE property_definitions SET first_seen_at = now() - interval '61 minutes' WHERE name IN ('rare', 'empty')`,
  );
  await store.settleOld();
  expect(await Promise.all(['rare', 'fresh', 'empty'].map((name) => typeOf(name)))).toEqual(['Boolean', null, null]);
});

test('a settled type is news of its project alone', async () => {
  await admin.query('DELETE FROM changes');
  const store = createDefinitionStore(consumer);
  const given = property('news', 2);
  await store.writeProperties([{ property: given, counts: met({ numbers: 19 }) }], at(nowMs));
  const news = async (): Promise<object[]> => (await admin.query<object>('SELECT topic, project_id FROM changes')).rows;
  expect(await news()).toEqual([]);
  await store.writeProperties([{ property: given, counts: met({ numbers: 1 }) }], at(nowMs));
  expect(await news()).toEqual([{ topic: 'property_type', project_id: 2 }]);
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
  const counts = met({ numbers: 1 });
  const stored = await store.writeProperties(
    given.map((one) => ({ property: one, counts })),
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
});

test('names of a project that is gone are left out, and so are those of no project', async () => {
  const store = createDefinitionStore(consumer);
  expect(await store.writeEvents([event('x', 999)], at(nowMs))).toEqual(new Set());
  expect(await store.writeProperties([{ property: property('x', 999), counts: met({ texts: 1 }) }], at(nowMs))).toEqual(
    new Map(),
  );
});

test('what carries what is written once', async () => {
  const store = createDefinitionStore(consumer);
  const pair = { projectId: 1, event: 'carried', property: 'plan' };
  await store.writePairs([pair]);
  await store.writePairs([pair, { ...pair, property: 'amount' }]);
  const { rows } = await admin.query(`SELECT property FROM event_properties WHERE event = 'carried' ORDER BY property`);
  expect(rows).toEqual([{ property: 'amount' }, { property: 'plan' }]);
});
