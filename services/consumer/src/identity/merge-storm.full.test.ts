import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createHarness, type Harness } from '../test/harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness({ EVENT_LOG_PARTITIONS: '1' });
}, 60_000);

afterAll(() => harness.close(), 30_000);

const persons = 20_000;

async function personsLeft(): Promise<number> {
  const { rows } = await harness.sql.query<{ persons: number }>('SELECT count(*)::int AS persons FROM persons');
  return rows[0]?.persons ?? 0;
}

// One batch: its merges come to one survivor, and Postgres moves 20,000 distinct ids in one statement.
test('20,000 stored persons who are merged in a chain are one person with all of their distinct ids', async () => {
  await harness.sql.query(
    `WITH made AS (
       INSERT INTO persons (team_id, uuid, properties, created_at) SELECT $1, gen_random_uuid(), jsonb_build_object('n', n), '2026-05-04T09:00:00Z'
       FROM generate_series(0, $2::int - 1) AS n RETURNING id, properties
     ) INSERT INTO person_distinct_ids (team_id, distinct_id, person_id) SELECT $1, 'user-' || (properties ->> 'n'), id FROM made`,
    [harness.teamId, persons],
  );
  const merges = Array.from({ length: persons - 1 }, (_, at) => ({
    event: '$merge_dangerously',
    distinctId: `user-${at + 1}`,
    properties: JSON.stringify({ alias: `user-${at}` }),
  }));
  await harness.send(merges);
  const child = harness.startChild();
  const expectMerged = async (): Promise<void> =>
    expect([await personsLeft(), (await harness.counts()).rows]).toEqual([1, persons - 1]);
  await eventually(expectMerged, { deadlineMs: 90_000, intervalMs: 200 });
  const { rows } = await harness.sql.query(
    'SELECT count(*)::int AS ids, count(DISTINCT person_id)::int AS persons FROM person_distinct_ids',
  );
  expect(rows).toEqual([{ ids: persons, persons: 1 }]);
  expect(await harness.deadLetters()).toEqual([]);
  child.process.kill('SIGTERM');
  expect([await child.exited, child.output()]).toEqual([0, '']);
}, 120_000);
