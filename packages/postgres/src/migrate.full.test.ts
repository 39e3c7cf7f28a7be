import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createEmptyDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import type pg from 'pg';
import { migratePostgres, MigrationRefusedError, schemaVersion } from './migrate.ts';
import { migrationsFolder, readMigrations } from './migration-files.ts';
import { createPool } from './pool.ts';

const log = { info: () => {} };
const all = readMigrations().map(({ name }) => name);
// A pool's end does not wait for its connections: the database may be dropped under them.
const onError = (): void => undefined;

let database: TestDatabase;
let folder: string;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createEmptyDatabase();
  folder = mkdtempSync(join(tmpdir(), 'millrace-migrations-'));
  cpSync(migrationsFolder, folder, { recursive: true });
  pool = createPool(database.url, { applicationName: 'test', onError });
});

afterEach(async () => {
  await pool.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

function addMigration(name: string, sql: string): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

/** Script of a process that migrates and prints the applied migrations. */
function processScript(): string {
  return `
    const { migratePostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'migrate.ts'))});
    const options = { log: { info() {} }, folder: ${JSON.stringify(folder)} };
    console.log(JSON.stringify((await migratePostgres(${JSON.stringify(database.url)}, options)).applied));`;
}

async function runProcess(): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', processScript()], {
    env: {},
  });
  return JSON.parse(stdout) as string[];
}

describe('the applier of the Postgres migrations', () => {
  test('brings an empty database to the present schema, and finds nothing to do the second time', async () => {
    expect(await schemaVersion(pool)).toEqual({ version: null, pending: all });
    expect(await migratePostgres(database.url, { log })).toEqual({ applied: all });
    expect(await migratePostgres(database.url, { log })).toEqual({ applied: [] });
    expect(await schemaVersion(pool)).toEqual({ version: all.at(-1), pending: [] });
  });

  test('applies each migration once when two processes run at once', async () => {
    // Slow enough that both are at it together.
    addMigration('10000101000000_slow', 'SELECT pg_sleep(1);');
    const [one, other] = await Promise.all([runProcess(), runProcess()]);
    expect([...one, ...other].sort()).toEqual(['10000101000000_slow', ...all]);
  });

  test('a process that is killed in the middle of a migration leaves nothing of it, and the next one continues from there', async () => {
    addMigration('30000101000000_long', 'CREATE TABLE half (id int); SELECT pg_sleep(2); CREATE TABLE whole (id int);');
    const killed = spawn(process.execPath, ['--input-type=module', '-e', processScript()], {
      env: {},
      stdio: 'ignore',
    });
    const sleeping = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    await eventually(async () => expect((await pool.query(sleeping)).rowCount).toBe(1), { deadlineMs: 20_000 });
    killed.kill('SIGKILL');
    const { version, pending } = await schemaVersion(pool);
    expect([version, pending]).toEqual([all.at(-1), []]);
    expect((await pool.query(`SELECT to_regclass('half') AS half`)).rows).toEqual([{ half: null }]);
    // At once, while the server has not noticed yet that its client is gone.
    expect(await runProcess()).toEqual(['30000101000000_long']);
    expect((await pool.query(`SELECT to_regclass('half') AS half, to_regclass('whole') AS whole`)).rows).toEqual([
      { half: 'half', whole: 'whole' },
    ]);
  });

  test('leaves nothing of a migration that fails, and continues from there when it is repaired', async () => {
    addMigration('30000101000000_bad', 'CREATE TABLE half (id int); SELECT 1/0;');
    await expect(migratePostgres(database.url, { log, folder })).rejects.toThrow('30000101000000_bad failed');
    expect((await pool.query(`SELECT to_regclass('half') AS half`)).rows).toEqual([{ half: null }]);

    writeFileSync(join(folder, '30000101000000_bad', 'migration.sql'), 'CREATE TABLE half (id int);');
    expect(await migratePostgres(database.url, { log, folder })).toEqual({ applied: ['30000101000000_bad'] });
  });

  test('refuses to go on where another engine left a migration unfinished', async () => {
    await migratePostgres(database.url, { log });
    await pool.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1`, [all[0]]);
    await expect(migratePostgres(database.url, { log })).rejects.toThrow(MigrationRefusedError);
    expect((await schemaVersion(pool)).pending).toEqual([all[0]]);
  });

  test('refuses a migration that was changed after it had been applied', async () => {
    addMigration('30000101000000_more', 'SELECT 1;');
    await migratePostgres(database.url, { log, folder });
    writeFileSync(join(folder, '30000101000000_more', 'migration.sql'), 'SELECT 2;');
    await expect(migratePostgres(database.url, { log, folder })).rejects.toThrow('30000101000000_more was changed');
  });

  test('a service is ready on a database that a newer release has migrated', async () => {
    addMigration('30000101000000_newer', 'SELECT 1;');
    await migratePostgres(database.url, { log, folder });
    expect(await schemaVersion(pool)).toEqual({ version: '30000101000000_newer', pending: [] });
  });
});
