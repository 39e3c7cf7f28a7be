import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allTables } from '@millrace/contracts/tables/all-tables.ts';
import { lateEvents } from '@millrace/contracts/tables/late-events.ts';
import { startClickhouse, type ClickhouseEngine } from '@millrace/engines/clickhouse.ts';
import { createClickhouse } from '../client.ts';
import { migrateClickhouse, MigrationRefusedError, schemaVersion } from './migrate.ts';
import { migrationsFolder, readMigrations } from './migration-files.ts';
import { buildUsersXml } from '../users/users-document.ts';

const log = { info: () => {} };
const all = readMigrations().map(({ name }) => name);
const secrets = {
  admin: 'admin',
  writer: 'writer',
  tenant: 'tenant',
  materializer: 'materializer',
  maintainer: 'maintainer',
  recorder: 'recorder',
  tokenSecret: 'token-secret-of-a-test',
};

// A server of its own: the names of our databases are fixed, and these tests begin with an empty server.
let folder: string;
let engine: ClickhouseEngine;
let admin: ClickHouseClient;
let connection: { url: string; user: string; password: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-clickhouse-'));
  engine = await startClickhouse({
    dataDir: join(folder, 'data'),
    usersDocument: buildUsersXml({ secrets, from: 'loopback' }),
    login: { user: 'admin', password: secrets.admin },
  });
  connection = { url: engine.url, user: 'admin', password: secrets.admin };
  admin = createClickhouse(connection);
}, 60_000);

afterAll(async () => {
  await admin?.close();
  await engine?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function query<T>(sql: string): Promise<T[]> {
  const result = await admin.query({ query: sql, format: 'JSONEachRow' });
  return await result.json<T>();
}

async function empty(): Promise<void> {
  for (const database of ['analytics', 'materialized', 'internal'])
    await admin.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` });
}

describe('the applier of the ClickHouse migrations', () => {
  test('brings an empty server to the present schema, and finds nothing to do the second time', async () => {
    await empty();
    expect(await schemaVersion(admin)).toEqual({ version: null, pending: all });
    expect(await migrateClickhouse(connection, { log })).toEqual({ applied: all });
    expect(await migrateClickhouse(connection, { log })).toEqual({ applied: [] });
  });

  test('two processes at once come to the same end', async () => {
    await empty();
    const script = `
      const { migrateClickhouse } = await import(${JSON.stringify(join(import.meta.dirname, 'migrate.ts'))});
      await migrateClickhouse(${JSON.stringify(connection)}, { log: { info() {} } });`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env: {} });
    await Promise.all([run(), run(), run()]);
    expect(await schemaVersion(admin)).toEqual({ version: all.at(-1), pending: [] });
    expect(await migrateClickhouse(connection, { log })).toEqual({ applied: [] });
  });

  test('a file that stopped half way is run again as a whole', async () => {
    await empty();
    await migrateClickhouse(connection, { log });
    const copy = mkdtempSync(join(folder, 'half-'));
    cpSync(migrationsFolder, copy, { recursive: true });
    const file = join(copy, '30000101000000_half.sql');
    const first = 'CREATE TABLE IF NOT EXISTS internal.half (a Int8) ENGINE = {engine:MergeTree} ORDER BY a;';
    writeFileSync(
      file,
      `${first} CREATE TABLE IF NOT EXISTS internal.other (a NoSuchType) ENGINE = {engine:MergeTree} ORDER BY a;`,
    );
    await expect(migrateClickhouse(connection, { log, folder: copy })).rejects.toThrow('30000101000000_half failed');
    writeFileSync(
      file,
      `${first} CREATE TABLE IF NOT EXISTS internal.other (a Int8) ENGINE = {engine:MergeTree} ORDER BY a;`,
    );
    expect(await migrateClickhouse(connection, { log, folder: copy })).toEqual({ applied: ['30000101000000_half'] });

    writeFileSync(file, first);
    await expect(migrateClickhouse(connection, { log, folder: copy })).rejects.toThrow(MigrationRefusedError);
  });

  test('the consumer, which may not migrate, can see whether the schema is up to date', async () => {
    const writer = createClickhouse({ url: engine.url, user: 'writer', password: secrets.writer });
    try {
      expect((await schemaVersion(writer)).pending).toEqual([]);
    } finally {
      await writer.close();
    }
  });
});

// All that writes rows, reads them and lets tenants read them is made of the declarations; migrations are written by hand.
describe('the tables', () => {
  test('are those that are declared', async () => {
    const made = await query<{ name: string }>(
      "SELECT name FROM system.tables WHERE database = 'analytics' AND name != 'schema_migrations'",
    );
    expect(made.map(({ name }) => name).sort()).toEqual(allTables.map(({ name }) => name).sort());
  });

  test.each(allTables)(
    '$name has the columns that are declared, and those that ClickHouse fills have a default',
    async ({ fullName, columns, filled }) => {
      const made = await query<{ name: string; type: string; default_kind: string }>(
        `SELECT name, type, default_kind FROM system.columns WHERE database || '.' || table = '${fullName}'`,
      );
      // Inserts name the columns, so their order is nobody's concern.
      expect(Object.fromEntries(made.map(({ name, type }) => [name, type]))).toEqual({ ...columns, ...filled });
      for (const { name, default_kind: kind } of made)
        if (name in filled) expect([name, kind]).toEqual([name, 'DEFAULT']);
    },
  );

  test.each(allTables)(
    '$name has the partitions that are declared, and its rows lie by project where tenants read them',
    async ({ fullName, partitionTime, tenantColumn }) => {
      const [made] = await query<{ partition_key: string; sorting_key: string }>(
        `SELECT partition_key, sorting_key FROM system.tables WHERE database || '.' || name = '${fullName}'`,
      );
      // Emptied a project at a time.
      const byProject = fullName === lateEvents.fullName ? 'team_id' : '';
      expect(made?.partition_key).toBe(partitionTime === null ? byProject : `toYYYYMM(${partitionTime})`);
      // The row policy prunes by it.
      if (tenantColumn !== null) expect(made?.sorting_key.split(', ')[0]).toBe(tenantColumn);
    },
  );
});
