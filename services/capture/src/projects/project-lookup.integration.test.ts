import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPool } from '@millrace/postgres/pool.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import type { Pool } from 'pg';
import { createProjectLookup } from './project-lookup.ts';

/** Passwords belong to the whole server, so the test takes the role without one. */
function asRole(url: string, role: string): string {
  const withRole = new URL(url);
  withRole.searchParams.set('options', `-c role=${role}`);
  return withRole.href;
}

describe('looking projects up in Postgres', () => {
  let database: TestDatabase;
  let admin: Pool;
  let pool: Pool;

  beforeAll(async () => {
    database = await createTestDatabase({
      template: 'postgres',
      migrate: async (url) => void (await migratePostgres(url, { log: { info: () => undefined } })),
    });
    const onError = (error: Error): never => {
      throw error;
    };
    admin = createPool(database.url, { applicationName: 'test', onError });
    pool = createPool(asRole(database.url, postgresRoles.capture), { applicationName: 'test', onError });
    const organization = randomUUID();
    await admin.query(`INSERT INTO organizations (id, name) VALUES ($1, 'o')`, [organization]);
    await admin.query(
      `INSERT INTO projects (uuid, organization_id, name, api_token, deleted_at)
       VALUES (gen_random_uuid(), $1, 'a', 'phc_a', NULL), (gen_random_uuid(), $1, 'b', 'phc_b', now())`,
      [organization],
    );
  });

  afterAll(async () => {
    await pool?.end();
    await admin?.end();
    await database?.drop();
  });

  test('answers with the projects that exist and are not deleted, with the rights of capture alone', async () => {
    const found = await createProjectLookup(pool, 1000)(['phc_a', 'phc_b', 'phc_c', "x'); DROP TABLE projects; --"]);
    expect([...found.keys()]).toEqual(['phc_a']);
    expect(found.get('phc_a')).toEqual(expect.any(Number));
  });

  test('that role can read nothing else', async () => {
    await expect(pool.query('SELECT name FROM projects')).rejects.toThrow(/permission denied/);
    await expect(pool.query('UPDATE projects SET name = name')).rejects.toThrow(/permission denied/);
    await expect(pool.query('SELECT * FROM users')).rejects.toThrow(/permission denied/);
  });
});
