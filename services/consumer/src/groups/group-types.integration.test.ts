import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { systemClock } from '@millrace/runtime/clock.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import type { Queryable } from '../database.ts';
import { createGroupTypes, typeText } from './group-types.ts';

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  database = await createTestDatabase({ template: 'postgres', migrate: async (url) => void (await migratePostgres(url, { log: { info: () => undefined } })) });
  pool = createPool(database.url, { applicationName: 'test', onError: () => undefined });
  await pool.query(`INSERT INTO organizations (id, name) VALUES ('01900000-0000-7000-8000-000000000001', 'o')`);
  await pool.query(`INSERT INTO projects (id, uuid, organization_id, name, api_token)
    SELECT id, gen_random_uuid(), '01900000-0000-7000-8000-000000000001', 'p', 'phc_' || id FROM generate_series(1, 2) AS id`);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

test('a project gets five types, and any number of others costs a few statements: nobody holds up the batch of everybody', async () => {
  let statements = 0;
  const db: Queryable = {
    query: (statement) => {
      statements += 1;
      return pool.query(statement);
    },
  };
  const wanted = [1, 2].flatMap((teamId) => Array.from({ length: 2_000 }, (_, index) => ({ teamId, type: `type ${index}` })));
  const indexes = await createGroupTypes(db, systemClock).load(wanted);
  for (const teamId of [1, 2]) {
    const own = Array.from({ length: 2_000 }, (_, index) => indexes.get(typeText({ teamId, type: `type ${index}` })));
    expect(own.slice(0, 6)).toEqual([0, 1, 2, 3, 4, null]);
    expect(own.filter((index) => index !== null)).toHaveLength(5);
  }
  expect(statements).toBeLessThan(30);
});
