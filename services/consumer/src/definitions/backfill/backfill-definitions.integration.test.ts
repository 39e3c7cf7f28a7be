import { expect, test } from '@jest/globals';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { learnedPairsMax } from '@millrace/contracts/property-types.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { queryClickhouse } from '../../clickhouse-outputs.ts';
import { counted } from '../../database.ts';
import type { QueryClickhouse } from '../../duplicates/stored-events.ts';
import { runningConsumer } from '../../test/running-consumer.ts';
import { createDefinitionStore } from '../definition-store.ts';
import { findStoredProjects } from '../find-stored-projects.ts';
import { backfillDefinitions, type BackfillReport } from './backfill-definitions.ts';
import { readPart } from './read-part.ts';

const consumer = runningConsumer();

/** Names that Postgres has learned of the project. */
async function learned(): Promise<Record<string, unknown>[]> {
  const { sql, teamId } = consumer.harness;
  const { rows } = await sql.query<Record<string, unknown>>(
    `SELECT 'event' AS kind, name, NULL AS type, NULL AS counts FROM event_definitions WHERE project_id = $1
     UNION ALL SELECT type || CASE WHEN group_type_index >= 0 THEN group_type_index::text ELSE '' END, name, property_type,
       array_to_string(ARRAY[numbers, booleans, times, texts, lists, objects], ' ') FROM property_definitions WHERE project_id = $1
     UNION ALL SELECT 'pair', event || ' ' || property, NULL, NULL FROM event_properties WHERE project_id = $1
     ORDER BY kind, name`,
    [teamId],
  );
  return rows;
}

async function withClickhouse<T>(work: (client: ReturnType<typeof createClickhouse>) => Promise<T>): Promise<T> {
  const client = createClickhouse({ ...consumer.harness.config.clickhouse, applicationName: 'test' });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

function backfill(onProgress = (): void => undefined, fails = (_: string): boolean => false): Promise<BackfillReport> {
  const db = counted(consumer.harness.sql, { inc: () => undefined });
  return withClickhouse((client) => {
    const query: QueryClickhouse = (one) =>
      fails(String(one.params['month'])) ? Promise.reject(new Error('too slow')) : queryClickhouse(client)(one);
    return backfillDefinitions({ query, db, onProgress, onFailed: () => undefined });
  });
}

const namesOf = (rows: readonly Record<string, unknown>[]): string[] =>
  rows.map(({ kind, name }) => `${String(kind)} ${String(name)}`);

/** Makes projects as they are that were there before the consumer learned names. */
async function makeIncomplete(ids: readonly number[] = [consumer.harness.teamId]): Promise<void> {
  await consumer.harness.sql.query('UPDATE projects SET definitions_complete_at = NULL WHERE id = ANY($1)', [ids]);
}

async function forget(ids: readonly number[] = [consumer.harness.teamId]): Promise<void> {
  const { sql } = consumer.harness;
  await makeIncomplete(ids);
  for (const table of [
    'event_definitions',
    'property_definitions',
    'event_properties',
    'definition_backfills',
    'backfilled_properties',
  ])
    await sql.query(`DELETE FROM ${table} WHERE project_id = ANY($1)`, [ids]);
}

test('a back-fill of what is stored learns what the consumer had learned when it came (contract/decisions 74)', async () => {
  const { harness } = consumer;
  const event = (month: number, index: number, event: string, properties: unknown) => ({
    event,
    distinctId: `person-${index % 3}`,
    timestamp: `2026-0${month}-04T10:00:00.000000Z`,
    properties: JSON.stringify(properties),
  });
  await harness.send([
    ...Array.from({ length: 24 }, (_, index) =>
      event(1 + (index % 3), index, 'paid', {
        amount: index / 2,
        gift: index % 2 === 0,
        day: '2026-05-04',
        tags: ['a', 1],
        about: { a: 1 },
        plan: 'pro',
        utm_term: 7,
        $ai_group_id: 7,
        mixed: index === 3 ? 'text' : index,
        nothing: null,
        'quote"d': 'x',
        $set: { age: index, name: 'Ann' },
      }),
    ),
    event(4, 0, 'viewed', { rare: 5 }),
    event(4, 0, '$groupidentify', { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 9 } }),
  ]);
  await eventually(async () => expect(await harness.counts()).toMatchObject({ rows: 26 }));
  const live = await eventually(async () => {
    const rows = await learned();
    // Names of groups and pairs are written last, each in statements of their own.
    expect(namesOf(rows)).toEqual(
      expect.arrayContaining([
        'group0 seats',
        'pair paid quote"d',
        'pair viewed rare',
        'pair $groupidentify $group_key',
      ]),
    );
    return rows;
  });
  expect(live).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'event', name: 'amount', type: 'Numeric' }),
      expect.objectContaining({ kind: 'event', name: 'gift', type: 'Boolean' }),
      expect.objectContaining({ kind: 'event', name: 'day', type: 'DateTime' }),
      expect.objectContaining({ kind: 'event', name: 'tags', type: 'List' }),
      expect.objectContaining({ kind: 'event', name: 'utm_term', type: 'String' }),
      expect.objectContaining({ kind: 'event', name: '$ai_group_id', type: 'String' }),
      expect.objectContaining({ kind: 'event', name: 'mixed', type: 'String' }),
      expect.objectContaining({ kind: 'event', name: 'rare', type: null }),
      expect.objectContaining({ kind: 'person', name: 'age', type: 'Numeric' }),
    ]),
  );
  await forget();
  await backfill();
  const stored = await learned();
  expect(namesOf(stored)).toEqual(namesOf(live));
  const typeOf = (rows: Record<string, unknown>[], name: string): unknown =>
    rows.find((row) => row['kind'] === 'event' && row['name'] === name)?.['type'];
  for (const name of ['amount', 'gift', 'day', 'tags', 'about', 'plan', 'utm_term', '$ai_group_id', 'mixed'])
    expect([name, typeOf(stored, name)]).toEqual([name, typeOf(live, name)]);
  // The one value of it is older than an hour.
  expect(typeOf(stored, 'rare')).toBe('Numeric');
  expect(typeOf(stored, 'nothing')).toBe(null);
});

const stop = (): never => {
  throw new Error('stopped');
};

/** The projects whose names are complete, of the given ones. */
async function complete(ids: readonly number[]): Promise<number[]> {
  const { rows } = await consumer.harness.sql.query<{ id: number }>(
    'SELECT id FROM projects WHERE id = ANY($1) AND definitions_complete_at IS NOT NULL ORDER BY id',
    [ids],
  );
  return rows.map(({ id }) => id);
}

test('names are complete once a run has read all of their project, also of a project without events; one whose first event the consumer has learned is complete', async () => {
  const { sql, teamId } = consumer.harness;
  const { rows } = await sql.query<{ id: number }>(
    `INSERT INTO projects (uuid, organization_id, name, api_token)
     SELECT gen_random_uuid(), organization_id, 'Empty', 'phc_' || gen_random_uuid() FROM projects WHERE id = $1 RETURNING id`,
    [teamId],
  );
  const ids = [teamId, ...rows.map(({ id }) => id)].sort((one, other) => one - other);
  expect(await complete(ids)).toEqual([teamId]);
  // Its values are counted already.
  const before = await learned();
  expect(await backfill()).toEqual({ learned: 0, skipped: 0, failed: 0 });
  expect(await complete(ids)).toEqual(ids);
  expect(await learned()).toEqual(before);
  await forget(ids);
  await expect(backfill(stop)).rejects.toThrow('stopped');
  expect(await complete(ids)).not.toContain(teamId);
  await backfill();
  expect(await complete(ids)).toEqual(ids);
});

test('what an earlier run has read is not counted again; a run that was stopped goes on; types settle when all is read', async () => {
  await forget();
  await expect(backfill(stop)).rejects.toThrow('stopped');
  const counted = (rows: readonly Record<string, unknown>[]) =>
    rows.filter(({ counts }) => /[1-9]/.test(String(counts)));
  const early = await learned();
  expect(early).not.toEqual([]);
  expect(counted(early)).toEqual([]);
  const first = await backfill();
  expect(first).toEqual({ learned: 5, skipped: 1, failed: 0 });
  const before = await learned();
  expect(counted(before)).not.toEqual([]);
  await makeIncomplete();
  expect(await backfill()).toEqual({ learned: 0, skipped: first.learned + first.skipped, failed: 0 });
  expect(await learned()).toEqual(before);
});

test('a project that has stored events is not called complete by a consumer that meets it first', async () => {
  const { teamId } = consumer.harness;
  const stored = withClickhouse((client) => findStoredProjects(queryClickhouse(client), [teamId, 2_000_000_001]));
  expect(await stored).toEqual(new Set([teamId]));
});

test('a part that cannot be read leaves its project incomplete, and the next run reads it', async () => {
  const { teamId } = consumer.harness;
  await forget();
  expect(await backfill(undefined, (month) => month === '202602')).toEqual({ learned: 5, skipped: 0, failed: 1 });
  expect(await complete([teamId])).toEqual([]);
  expect(await backfill()).toEqual({ learned: 1, skipped: 5, failed: 0 });
  expect(await complete([teamId])).toEqual([teamId]);
});

test('a name that the consumer has missed is found again: by the next run, when it came during this one', async () => {
  const { sql, teamId } = consumer.harness;
  const miss = async (): Promise<void> => {
    await createDefinitionStore(sql).markIncomplete([teamId]);
    await sql.query(`DELETE FROM event_definitions WHERE project_id = $1 AND name = 'viewed'`, [teamId]);
  };
  const before = await learned();
  await miss();
  expect(await complete([teamId])).toEqual([]);
  expect((await backfill()).learned).toBe(6);
  expect(await complete([teamId])).toEqual([teamId]);
  // Values of settled types are not counted twice.
  expect((await learned()).filter(({ type }) => type !== null)).toEqual(before.filter(({ type }) => type !== null));
  await makeIncomplete();
  const missing: Promise<void>[] = [];
  await backfill(() => void (missing.length === 0 && missing.push(miss())));
  await Promise.all(missing);
  expect(await complete([teamId])).toEqual([]);
  await backfill();
  expect(await complete([teamId])).toEqual([teamId]);
  expect(namesOf(await learned())).toContain('event viewed');
});

test('stored values do not settle a type that a member has opened again', async () => {
  const { sql, teamId } = consumer.harness;
  await sql.query(
    `UPDATE property_definitions SET property_type = NULL, first_value_at = NULL, numbers = 0, reopenings = 1
     WHERE project_id = $1 AND type = 'event' AND name = 'amount'`,
    [teamId],
  );
  await sql.query('DELETE FROM definition_backfills WHERE project_id = $1', [teamId]);
  await makeIncomplete();
  expect((await backfill()).learned).toBeGreaterThan(0);
  const rows = await learned();
  expect(rows).toContainEqual({ kind: 'event', name: 'amount', type: null, counts: '0 0 0 0 0 0' });
  expect(rows).toContainEqual(expect.objectContaining({ kind: 'event', name: 'gift', type: 'Boolean' }));
});

test('names of documents that the parser of ClickHouse refuses are learned as they were when they came', async () => {
  const { harness } = consumer;
  await forget();
  const { rows: before } = await harness.counts();
  const documents = {
    integer: '{"integer_a":123456789012345678901234567890,"integer_b":1}',
    beyond: '{"beyond_a":18446744073709551616,"beyond_b":1}',
    exponent: '{"exponent_a":1e400,"exponent_b":1}',
    'lone name': '{"lone\\ud800name":1,"lone_b":2}',
    'lone value': '{"lone_value_a":"x\\ud800y","lone_value_b":2}',
    'null byte': '{"null\\u0000name":"x\\u0000y","null_b":2}',
    replaced: '{"null\\ufffdname":1}',
    deep: `{"deep_a":${'['.repeat(1_500)}${']'.repeat(1_500)},"deep_b":1}`,
    escaped: '{"esc\\u005fa":"2026-05-04","slash\\/b":1}',
    long: `{"${'я'.repeat(120)}":1,"long_b":1}`,
    ['я'.repeat(101)]: '{"of_long":1}',
    empty: '{"":1,"empty_b":2}',
    person: '{"$set":{"person_a":123456789012345678901234567890,"person_b":1}}',
  };
  await harness.send(
    Object.entries(documents).map(([event, properties], index) => ({
      event,
      distinctId: `hostile-${index}`,
      timestamp: '2026-06-04T10:00:00.000000Z',
      properties,
    })),
  );
  const isStored = async (): Promise<void> =>
    expect((await harness.counts()).rows).toBe(before + Object.keys(documents).length);
  await eventually(isStored);
  const known = ['integer_b', 'beyond_a', 'exponent_b', 'lone\ufffdname', 'deep_b', 'null\ufffdname', 'esc_a'];
  const live = await eventually(async () => {
    const names = namesOf(await learned());
    expect(names).toEqual(expect.arrayContaining(known.map((name) => `event ${name}`)));
    return names;
  });
  await forget();
  await backfill();
  const stored = namesOf(await learned());
  expect(stored).toEqual(expect.arrayContaining(live));
  expect(stored.filter((name) => name.includes('я'))).toEqual([]);
});

test('a name is read however many pairs of event and property there are', async () => {
  const { teamId } = consumer.harness;
  const part = { projectId: teamId, period: '202507', rows: 1_101 };
  const found = await withClickhouse(async (client) => {
    await client.command({
      query: `INSERT INTO analytics.events (team_id, uuid, event, distinct_id, timestamp, created_at, properties_text, properties)
        SELECT {project:Int64}, generateUUIDv4(), concat('event ', toString(number)), 'p', '2025-07-04 10:00:00',
          toDateTime64('2025-07-04 10:00:00', 6, 'UTC') + number,
          if(number = 0, '{"rare":1}', concat('{', arrayStringConcat(arrayMap(key -> concat('"k', toString(key), '":1'), range(100)), ','), '}')),
          map()
        FROM numbers(1101)`,
      query_params: { project: teamId },
    });
    return await readPart(part, queryClickhouse(client));
  });
  expect(found.pairs).toHaveLength(learnedPairsMax);
  expect([...found.properties.keys()].map(({ property }) => property.name)).toContain('rare');
  expect(found.properties.size).toBe(101);
  expect(found.events.size).toBe(1_101);
});
