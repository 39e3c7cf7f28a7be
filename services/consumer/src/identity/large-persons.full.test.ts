import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { createPool, type Pool } from '@millrace/postgres/pool.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { GroupDescription } from '../groups/fold-groups.ts';
import { processedDraft, testProject } from '../test/drafts.ts';
import { applyIdentity, type IdentityBatch } from './apply-identity.ts';
import { createIdentityStore, type IdentityStore } from './identity-store.ts';
import { counted } from '../database.ts';
import { nobodyLeaves } from '../overflow/leaving-events.ts';
import { BatchTooLargeError } from '../stream/batch-too-large-error.ts';

/** More than 256 MB together: as much as one value of Postgres holds. */
const persons = 450;
const textLength = 640_000;

let database: TestDatabase;
let pool: Pool;
let store: IdentityStore;
const statements: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase({
    template: 'consumer',
    migrate: async (url) => void (await migratePostgres(url, { log: { info: () => undefined } })),
  });
  pool = createPool(database.url, { applicationName: 'test', max: 2, onError: () => undefined });
  store = createIdentityStore(
    counted(pool, { inc: ({ statement }) => void statements.push(statement) }),
    () => undefined,
  );
  for (let at = 1; at <= persons; at += 50) await addPersons(at, at + 49);
}, 120_000);

afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function addPersons(from: number, to: number): Promise<void> {
  await pool.query(
    `WITH made AS (
       INSERT INTO persons (team_id, uuid, properties, properties_size, created_at)
       SELECT $1, gen_random_uuid(), jsonb_build_object('n', n, 'bio', repeat(md5(n::text), $4 / 32)), $4, '2026-05-04T09:00:00Z' FROM generate_series($2::int, $3::int) AS n
       RETURNING id, properties
     ) INSERT INTO person_distinct_ids (team_id, distinct_id, person_id) SELECT $1, 'large-' || (properties ->> 'n'), id FROM made`,
    [testProject.id, from, to, textLength],
  );
}

const batchOf = (drafts: readonly EventDraft[], more: Partial<IdentityBatch> = {}): IdentityBatch => ({
  drafts,
  all: drafts,
  descriptions: [],
  stream: 'large',
  last: 1n,
  now: '2026-05-04T12:00:00.000000Z',
  again: false,
  isDivisible: false,
  writeBytesMax: Infinity,
  leaving: nobodyLeaves,
  ...more,
});
const draftsOf = (plan: string): EventDraft[] =>
  Array.from({ length: persons }, (_, index) =>
    processedDraft({ distinctId: `large-${index + 1}` }, JSON.stringify({ $set: { plan } })),
  );

test('so many large persons that one value of Postgres does not hold them are changed together, and once', async () => {
  await applyIdentity(batchOf(draftsOf('pro')), store, new Map());
  expect(statements.filter((name) => name === 'find-person-properties').length).toBeGreaterThan(10);
  expect(statements.filter((name) => name === 'fill-persons').length).toBeGreaterThan(10);
  const counts = `SELECT count(*) FILTER (WHERE properties ->> 'plan' = 'pro' AND length(properties ->> 'bio') = 640000 AND version = 1) AS right FROM persons WHERE team_id = $1`;
  expect((await pool.query(counts, [testProject.id])).rows).toEqual([{ right: String(persons) }]);
  // Once more, as after a crash: all of it is sent to ClickHouse, nothing is changed.
  const { states } = await applyIdentity(batchOf(draftsOf('free'), { again: true }), store, new Map());
  expect(states.persons).toHaveLength(persons);
  expect((await pool.query(counts, [testProject.id])).rows).toEqual([{ right: String(persons) }]);
}, 120_000);

test('a batch that can be divided is, before so many come into memory', async () => {
  statements.length = 0;
  await expect(
    applyIdentity(batchOf(draftsOf('x'), { last: 2n, isDivisible: true }), store, new Map()),
  ).rejects.toThrow(BatchTooLargeError);
  expect(statements).toEqual(['read-progress', 'find-persons']);
});

test('the same of groups', async () => {
  const [draft] = draftsOf('x');
  const describe = (set: Record<string, string>, at: number): GroupDescription => ({
    draft: draft as EventDraft,
    teamId: testProject.id,
    index: 0,
    key: `group-${at}`,
    set,
  });
  const describing = (set: Record<string, string>): GroupDescription[] =>
    Array.from({ length: 60 }, (_, at) => describe(set, at));
  await applyIdentity(
    batchOf([draft as EventDraft], {
      last: 3n,
      stream: 'groups',
      descriptions: describing({ about: 'x'.repeat(textLength) }),
    }),
    store,
    new Map(),
  );
  statements.length = 0;
  await applyIdentity(
    batchOf([draft as EventDraft], { last: 4n, stream: 'groups again', descriptions: describing({ plan: 'pro' }) }),
    store,
    new Map(),
  );
  expect(statements).toEqual(expect.arrayContaining(['find-group-properties', 'fill-groups']));
  const { rows } = await pool.query(
    "SELECT count(*) AS right FROM groups WHERE properties ->> 'plan' = 'pro' AND length(properties ->> 'about') = $1 AND version = 1",
    [textLength],
  );
  expect(rows).toEqual([{ right: '60' }]);
}, 60_000);
