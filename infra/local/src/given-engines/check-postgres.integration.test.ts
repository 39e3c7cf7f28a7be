import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import { type PostgresEngine, startPostgres } from '@millrace/engines/postgres.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { setRolePasswords } from '@millrace/postgres/role-passwords.ts';
import pg from 'pg';
import { createDatabase } from '../create-database.ts';
import { postgresAddress } from './addresses.ts';
import { checkPostgres } from './check-postgres.ts';
import { GivenEngineError } from './given-engine-error.ts';

const passwords = { capture: 'hush-1', consumer: 'hush-2', management: 'hush-3' };

// A server of its own, because roles belong to a whole server.
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: PostgresEngine;
let url: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startPostgres({
    dataDir: join(folder.path, 'postgres'),
    superuserPassword: 'hush-hush',
    durable: false,
  });
});
afterAll(async () => {
  await engine.stop();
  await folder.remove();
});
let databases = 0;
beforeEach(async () => {
  url = engine.url.replace(/postgres$/, `db${++databases}`);
  await createDatabase(url);
});

async function query(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

const check = (at: string, of = passwords): Promise<void> => checkPostgres(postgresAddress(at), of);

async function refusal(at: string, of = passwords): Promise<string> {
  const error: unknown = await check(at, of).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(GivenEngineError);
  expect((error as Error).message).not.toMatch(/hush/);
  return (error as Error).message;
}

const withChanged = (change: (parts: URL) => void): string => {
  const parts = new URL(url);
  change(parts);
  return parts.href;
};

test('an empty database, a missing one, and the product’s own are accepted', async () => {
  const taken = (at: string): Promise<void> => expect(check(at)).resolves.toBeUndefined();
  const missing = withChanged((parts) => (parts.pathname += '_more'));
  await taken(url);
  await taken(missing);
  await createDatabase(missing);
  await taken(missing);
  await migratePostgres(url, { log: { info: () => {} } });
  await setRolePasswords(url, passwords);
  await taken(url);
});

test('roles of another system are left as they are', async () => {
  await migratePostgres(url, { log: { info: () => {} } });
  await setRolePasswords(url, passwords);
  expect(await refusal(url, { ...passwords, consumer: 'hush-4' })).toMatch(
    /has a role "millrace_consumer" whose password this data folder does not know/,
  );
});

test('a database with tables of others is refused and left as it is', async () => {
  await query('CREATE TABLE visits (id int)');
  expect(await refusal(url)).toMatch(/holds tables that are not Millrace's \(visits\)/);
  // Other products use Prisma too, and have the same table of migrations.
  await query('CREATE TABLE _prisma_migrations (migration_name text)');
  await query("INSERT INTO _prisma_migrations VALUES ('20200101000000_init')");
  expect(await refusal(url)).toMatch(/holds tables that are not Millrace's \(_prisma_migrations, visits\)/);
});

test('a database that knows ASCII letters alone, or is in another encoding, is refused', async () => {
  for (const [name, how, said] of [
    ['ascii', "ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'", 'compares only ASCII letters'],
    ['latin', "ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'", 'is in LATIN1'],
  ] as const) {
    await query(`CREATE DATABASE ${name} TEMPLATE template0 ${how}`);
    expect(await refusal(withChanged((parts) => (parts.pathname = `/${name}`)))).toContain(said);
  }
});

test('a created database knows all letters, whatever the defaults of the server are', async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT lower('ÖZ') AS folded, current_setting('server_encoding') AS encoding");
  await client.end();
  expect(rows).toEqual([{ folded: 'öz', encoding: 'UTF8' }]);
});

test('a wrong password, and an address without a Postgres, have different messages', async () => {
  const wrong = withChanged((parts) => (parts.password = 'hush'));
  expect(await refusal(wrong)).toMatch(/does not let user "postgres" in: password authentication failed/);
  expect(await refusal(withChanged((parts) => (parts.port = '1')))).toMatch(
    /^No Postgres answers at 127\.0\.0\.1:1\/.*ECONNREFUSED/,
  );
});
