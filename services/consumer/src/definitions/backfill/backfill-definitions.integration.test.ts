import { expect, test } from '@jest/globals';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { queryClickhouse } from '../../clickhouse-outputs.ts';
import { counted } from '../../database.ts';
import { runningConsumer } from '../../test/running-consumer.ts';
import { backfillDefinitions, type BackfillReport } from './backfill-definitions.ts';

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

async function backfill(
  signal = new AbortController().signal,
  onProgress = (): void => undefined,
): Promise<BackfillReport> {
  const { config, sql } = consumer.harness;
  const client = createClickhouse({ ...config.clickhouse, applicationName: 'test' });
  try {
    return await backfillDefinitions({
      query: queryClickhouse(client),
      db: counted(sql, { inc: () => undefined }),
      signal,
      onProgress,
    });
  } finally {
    await client.close();
  }
}

async function forget(): Promise<void> {
  const { sql, teamId } = consumer.harness;
  for (const table of ['event_definitions', 'property_definitions', 'event_properties', 'definition_backfills'])
    await sql.query(`DELETE FROM ${table} WHERE project_id = $1`, [teamId]);
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
    expect(rows).toContainEqual(expect.objectContaining({ kind: 'group0', name: 'seats' }));
    return rows;
  });
  expect(live).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'event', name: 'amount', type: 'Numeric' }),
      expect.objectContaining({ kind: 'event', name: 'gift', type: 'Boolean' }),
      expect.objectContaining({ kind: 'event', name: 'day', type: 'DateTime' }),
      expect.objectContaining({ kind: 'event', name: 'tags', type: 'List' }),
      expect.objectContaining({ kind: 'event', name: 'utm_term', type: 'String' }),
      expect.objectContaining({ kind: 'event', name: 'mixed', type: 'String' }),
      expect.objectContaining({ kind: 'event', name: 'rare', type: null }),
      expect.objectContaining({ kind: 'person', name: 'age', type: 'Numeric' }),
    ]),
  );
  await forget();
  await backfill();
  const stored = await learned();
  const namesOf = (rows: Record<string, unknown>[]): string[] =>
    rows.map(({ kind, name }) => `${String(kind)} ${String(name)}`);
  expect(namesOf(stored)).toEqual(namesOf(live));
  const typeOf = (rows: Record<string, unknown>[], name: string): unknown =>
    rows.find((row) => row['kind'] === 'event' && row['name'] === name)?.['type'];
  for (const name of ['amount', 'gift', 'day', 'tags', 'about', 'plan', 'utm_term', 'mixed'])
    expect([name, typeOf(stored, name)]).toEqual([name, typeOf(live, name)]);
  // The one value of it is older than an hour.
  expect(typeOf(stored, 'rare')).toBe('Numeric');
  expect(typeOf(stored, 'nothing')).toBe(null);
});

test('what an earlier run has learned is not counted again; a run that was stopped goes on', async () => {
  await forget();
  const stop = new AbortController();
  await expect(backfill(stop.signal, () => stop.abort(new Error('stopped')))).rejects.toThrow('stopped');
  expect(await learned()).toEqual([]);
  const first = await backfill();
  expect(first).toEqual({ learned: 5, skipped: 1 });
  const before = await learned();
  expect(await backfill()).toEqual({ learned: 0, skipped: first.learned + first.skipped });
  expect(await learned()).toEqual(before);
});
