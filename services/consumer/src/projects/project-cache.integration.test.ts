import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import { systemClock } from '@millrace/runtime/clock.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import { createProjectCache } from './project-cache.ts';

let database: TestDatabase;
const pools: ReturnType<typeof createPool>[] = [];

beforeAll(async () => {
  database = await createTestDatabase({
    template: 'postgres',
    migrate: async (url) => void (await migratePostgres(url, { log: { info: () => undefined } })),
  });
});
afterAll(async () => {
  for (const pool of pools) await pool.end();
  await database?.drop();
});

function connect(role?: string): ReturnType<typeof createPool> {
  const url = new URL(database.url);
  if (role !== undefined) url.searchParams.set('options', `-c role=${role}`);
  const pool = createPool(url.href, { applicationName: 'test', onError: () => undefined });
  pools.push(pool);
  return pool;
}

test('an event is found its project by id, by token, and by a token that was rotated away not too long ago', async () => {
  const admin = connect();
  await admin.query(`INSERT INTO organizations (id, name) VALUES ('01900000-0000-7000-8000-000000000001', 'o')`);
  const insert = `INSERT INTO projects (id, uuid, organization_id, name, api_token, deleted_at) VALUES ($1, gen_random_uuid(), '01900000-0000-7000-8000-000000000001', 'p', $2, $3)`;
  await admin.query(insert, [1, 'phc_new', null]);
  await admin.query(insert, [2, 'phc_gone', new Date()]);
  await admin.query(`INSERT INTO previous_project_tokens VALUES
    ('phc_old', 1, now() + interval '1 hour'), ('phc_late', 1, now() - interval '1 hour'), ('phc_dead', 1, now() - interval '25 hours'), ('phc_gone_old', 2, now() + interval '1 hour')`);

  const tokens = ['phc_new', 'phc_old', 'phc_late', 'phc_dead', 'phc_gone', 'phc_gone_old', 'phc_none'];
  const projects = await createProjectCache(connect(postgresRoles.consumer), systemClock).load(
    new Set([1, 2]),
    new Set(tokens),
  );
  expect(tokens.map((token) => projects.byToken(token)?.id ?? null)).toEqual([1, 1, 1, null, null, null, null]);
  expect([projects.byId(1)?.id, projects.byId(2)]).toEqual([1, null]);
});
