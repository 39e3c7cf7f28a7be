import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { systemClock, type Clock } from '@millrace/runtime/clock.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import type { Queryable } from '../database.ts';
import { createGroupTypes, typeText } from './group-types.ts';

let nowMs = 0;
const clock: Clock = { ...systemClock, nowMs: () => nowMs };

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  database = await createTestDatabase({
    template: 'postgres',
    migrate: async (url) => void (await migratePostgres(url, { log: { info: () => undefined } })),
  });
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
  let valuesMax = 0;
  const db: Queryable = {
    query: (statement) => {
      statements += 1;
      valuesMax = Math.max(valuesMax, statement.values?.flat().length ?? 0);
      return pool.query(statement);
    },
  };
  const wanted = [1, 2].flatMap((teamId) =>
    Array.from({ length: 2_000 }, (_, index) => ({ teamId, type: `type ${index}` })),
  );
  const types = createGroupTypes(db, clock);
  const indexes = await types.load(wanted);
  for (const teamId of [1, 2]) {
    const own = Array.from({ length: 2_000 }, (_, index) => indexes.get(typeText({ teamId, type: `type ${index}` })));
    expect(own.slice(0, 6)).toEqual([0, 1, 2, 3, 4, undefined]);
    expect(own.filter((index) => index !== undefined)).toHaveLength(5);
  }
  expect(statements).toBeLessThan(30);
  // No type that is refused travels to Postgres, and none that comes later, until somebody may have made room.
  expect(valuesMax).toBeLessThan(10);
  const before = statements;
  for (let round = 0; round < 10; round++) {
    await types.load(
      [1, 2].flatMap((teamId) =>
        Array.from({ length: 10_000 }, (_, index) => ({ teamId, type: `type ${round}:${index}` })),
      ),
    );
    expect((await types.load([{ teamId: 1, type: 'type 4' }])).get('1:type 4')).toBe(4);
  }
  expect(statements).toBe(before);
  await pool.query(`DELETE FROM group_types WHERE team_id = 2 AND index = 4`);
  nowMs += 31_000;
  expect((await types.load([{ teamId: 2, type: 'late' }])).get('2:late')).toBe(4);
});
