import type { ClickHouseClient } from '@clickhouse/client';
import { createClickhouse } from '../client.ts';
import { printMigration, readMigrations, type MigrationFile, type Replication } from './migration-files.ts';

/** The part of a logger that the applier uses. */
export interface MigrationLog {
  info(fields: object, message: string): void;
}

/** An applied migration has changed since; the message says what to do. */
export class MigrationRefusedError extends Error {
  override name = 'MigrationRefusedError';
}

const historyTable = 'analytics.schema_migrations';

const createHistory = `
  CREATE DATABASE IF NOT EXISTS analytics {on_cluster};
  CREATE TABLE IF NOT EXISTS ${historyTable} {on_cluster}
  (
      name String,
      checksum String,
      applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
  )
  ENGINE = {engine:ReplacingMergeTree} ORDER BY name`;

/**
 * Applies the migrations that the server lacks, oldest first, and returns their names. The user needs the right to
 * create.
 *
 * ClickHouse has neither transactions for this nor locks. So every statement of a migration can be repeated (a test
 * requires IF [NOT] EXISTS), and a file is recorded when all of it has run: after a crash the file is run again from
 * its beginning, and two at once do the same things twice to the same end.
 * @throws {MigrationRefusedError} when an applied file has changed.
 */
export async function migrateClickhouse(
  connection: { url: string; user: string; password: string },
  { log, replicated = null, folder }: { log: MigrationLog; replicated?: Replication | null; folder?: string },
): Promise<{ applied: string[] }> {
  const client = createClickhouse({ ...connection, applicationName: 'millrace-migrate', requestTimeoutMs: 600_000 });
  try {
    for (const statement of printMigration(createHistory, replicated)) await client.command({ query: statement });
    const pending = pendingOf(readMigrations(folder), await readHistory(client));
    for (const { name, sql, checksum } of pending) {
      const startedMs = performance.now();
      for (const statement of printMigration(sql, replicated)) await run(client, name, statement);
      await client.insert({ table: historyTable, values: [{ name, checksum }], format: 'JSONEachRow' });
      log.info({ migration: name, durationMs: Math.round(performance.now() - startedMs) }, 'migration applied');
    }
    return { applied: pending.map(({ name }) => name) };
  } finally {
    await client.close();
  }
}

/**
 * The newest applied migration (null on an empty server), and those of this build that are not applied. A service is not
 * ready while any is pending. Needs SELECT on `analytics.schema_migrations` (the user `writer` has it).
 */
export async function schemaVersion(client: ClickHouseClient): Promise<{ version: string | null; pending: string[] }> {
  const exists = await client.query({ query: `EXISTS TABLE ${historyTable}`, format: 'JSONEachRow' });
  const [response] = await exists.json<{ result: number }>();
  const applied = response?.result === 1 ? await readHistory(client) : new Map<string, string>();
  const pending = readMigrations()
    .map(({ name }) => name)
    .filter((name) => !applied.has(name));
  return { version: [...applied.keys()].sort().at(-1) ?? null, pending };
}

async function readHistory(client: ClickHouseClient): Promise<Map<string, string>> {
  const result = await client.query({
    query: `SELECT name, any(checksum) AS checksum FROM ${historyTable} GROUP BY name`,
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ name: string; checksum: string }>();
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Mutations go on in the background: those of a large table take longer than a request may. */
const settings = { mutations_sync: '0' } as const;

async function run(client: ClickHouseClient, name: string, statement: string): Promise<void> {
  try {
    await client.command({ query: statement, clickhouse_settings: settings });
  } catch (error) {
    throw new Error(`migration ${name} failed at: ${statement.slice(0, 200)}`, { cause: error });
  }
}

function pendingOf(files: readonly MigrationFile[], history: ReadonlyMap<string, string>): MigrationFile[] {
  const changed = files.find(({ name, checksum }) => (history.get(name) ?? checksum) !== checksum);
  if (changed) {
    throw new MigrationRefusedError(
      `Migration ${changed.name} was changed after it had been applied. Put its file back as it was, and make a new migration for the change.`,
    );
  }
  return files.filter(({ name }) => !history.has(name));
}
