import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { readMigrations, type MigrationFile } from './migration-files.ts';

/** The part of a logger that the applier uses. */
export interface MigrationLog {
  info(fields: object, message: string): void;
}

/** The migrations cannot continue from the state of the database. The message gives the way out. */
export class MigrationRefusedError extends Error {
  override name = 'MigrationRefusedError';
}

interface MigrationRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/** The number that Prisma's own engine locks, so that neither runs beside the other. */
const prismaLock = 72707369;

/** The standard table: people who have Prisma's engine see the same history. */
const createTable = `
  CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`;

/**
 * Applies the migrations that the database at `url` lacks, oldest first, and returns their names. Each is applied whole
 * or not at all, together with its row of `_prisma_migrations`, so a crash leaves nothing to clear up. Two at once: the
 * second waits, then finds nothing to do.
 * @throws {MigrationRefusedError} when a row is unfinished (left by Prisma's engine) or an applied file has changed.
 */
export async function migratePostgres(
  url: string,
  { log, folder }: { log: MigrationLog; folder?: string },
): Promise<{ applied: string[] }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'millrace-migrate',
    connectionTimeoutMillis: 10_000,
  });
  // A lost connection is seen by the query under way; without a listener it would also end the process.
  client.on('error', (error) => log.info({ err: error }, 'the connection to Postgres was lost'));
  await client.connect();
  try {
    // Held by the session: it ends with the connection.
    await client.query('SELECT pg_advisory_lock($1)', [prismaLock]);
    await client.query(createTable);
    const pending = pendingOf(readMigrations(folder), await readRows(client));
    for (const migration of pending) await applyOne(client, migration, log);
    return { applied: pending.map(({ name }) => name) };
  } finally {
    await client.end();
  }
}

/**
 * The newest migration that is applied (null on an empty database), and those of this build that are not. A service is
 * not ready while any is pending. Migrations that only the database knows are no reason to refuse: a newer release made
 * them, and they are compatible with the one before.
 */
export async function schemaVersion(pool: pg.Pool): Promise<{ version: string | null; pending: string[] }> {
  const rows = await readRows(pool);
  const applied = rows.filter((row) => row.finished_at !== null).map((row) => row.migration_name);
  const pending = readMigrations()
    .map(({ name }) => name)
    .filter((name) => !applied.includes(name));
  return { version: applied.sort().at(-1) ?? null, pending };
}

async function applyOne(client: pg.Client, { name, sql, checksum }: MigrationFile, log: MigrationLog): Promise<void> {
  const startedMs = performance.now();
  const id = randomUUID();
  await client.query('BEGIN');
  try {
    await client.query('INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES ($1, $2, $3)', [
      id,
      checksum,
      name,
    ]);
    await client.query(sql);
    await client.query(
      'UPDATE "_prisma_migrations" SET "finished_at" = clock_timestamp(), "applied_steps_count" = 1 WHERE "id" = $1',
      [id],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${name} failed and nothing of it was kept`, { cause: error });
  }
  log.info({ migration: name, durationMs: Math.round(performance.now() - startedMs) }, 'migration applied');
}

async function readRows(client: pg.Client | pg.Pool): Promise<MigrationRow[]> {
  const { rows: tables } = await client.query<{ name: string | null }>(
    `SELECT to_regclass('_prisma_migrations') AS name`,
  );
  if (tables[0]?.name === null) return [];
  const { rows } = await client.query<MigrationRow>(
    'SELECT "migration_name", "checksum", "finished_at" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL',
  );
  return rows;
}

function pendingOf(files: readonly MigrationFile[], rows: readonly MigrationRow[]): MigrationFile[] {
  const unfinished = rows.find((row) => row.finished_at === null);
  if (unfinished) {
    throw new MigrationRefusedError(
      `Migration ${unfinished.migration_name} was begun and never finished. Undo what it left, mark its row in "_prisma_migrations" as rolled back (rolled_back_at), and try again.`,
    );
  }
  const checksums = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  const changed = files.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum);
  if (changed) {
    throw new MigrationRefusedError(
      `Migration ${changed.name} was changed after it had been applied. Put its file back as it was, and make a new migration for the change.`,
    );
  }
  return files.filter(({ name }) => !checksums.has(name));
}
