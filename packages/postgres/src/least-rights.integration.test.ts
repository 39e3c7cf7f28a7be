import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import pg from 'pg';
import { migratePostgres } from './migrate.ts';
import { postgresRoles } from './role-passwords.ts';

// The promise: no service has a right that it does not use; roles.integration.test.ts has their tables.

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase({
    template: 'postgres',
    migrate: async (url) => void (await migratePostgres(url, { log: { info: () => undefined } })),
  });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

// Everybody may call settled_property_type: it reads no table. All others are fired by triggers.
test.each([
  [postgresRoles.capture, ['settled_property_type']],
  [
    postgresRoles.consumer,
    [
      'add_suppression_hits',
      'list_missing_symbols',
      'lower_first_seen',
      'note_late_maps',
      'see_issues',
      'settled_property_type',
      'write_identity',
    ],
  ],
  [postgresRoles.management, ['cancel_query', 'note_late_maps', 'settled_property_type', 'take_out_of_queue']],
])('%s calls %j, and no other function', async (role, names) => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prorettype <> 'trigger'::regtype
      AND has_function_privilege($1, oid, 'EXECUTE') AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
     ORDER BY name`,
    [role],
  );
  expect(rows.map(({ name }) => name)).toEqual(names);
});

test('rows that wait for their copies are written by triggers; the management API locks them and takes them out', async () => {
  const { rows } = await client.query<{ columns: string[] }>(
    `SELECT array_agg(attname::text) AS columns FROM pg_attribute
     WHERE attrelid = 'unmirrored_rows'::regclass AND attnum > 0 AND has_column_privilege($1, attrelid, attnum, 'UPDATE')`,
    [postgresRoles.management],
  );
  expect(rows).toEqual([{ columns: ['change'] }]);
  await client.query(`SET ROLE ${postgresRoles.management}`);
  const locked = await client.query('SELECT FROM unmirrored_rows WHERE false FOR UPDATE SKIP LOCKED');
  expect(locked.rows).toEqual([]);
  await expect(client.query(`INSERT INTO unmirrored_rows (table_name) VALUES ('t')`)).rejects.toThrow(
    'permission denied',
  );
  await client.query('RESET ROLE');
});

test('stack frames are written by the consumer; the management API locks them and takes them out', async () => {
  const { rows } = await client.query<{ columns: string[] }>(
    `SELECT array_agg(attname::text) AS columns FROM pg_attribute
     WHERE attrelid = 'stack_frames'::regclass AND attnum > 0 AND has_column_privilege($1, attrelid, attnum, 'UPDATE')`,
    [postgresRoles.management],
  );
  expect(rows).toEqual([{ columns: ['last_used_at'] }]);
});
