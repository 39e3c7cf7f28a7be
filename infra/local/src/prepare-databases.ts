import { errorCode } from '@millrace/clickhouse/error-code.ts';
import { migrateClickhouse } from '@millrace/clickhouse/migrations/migrate.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { setRolePasswords } from '@millrace/postgres/role-passwords.ts';
import pg from 'pg';
import { createDatabase } from './create-database.ts';
import type { Engines } from './engines.ts';
import { GivenEngineError } from './given-engines/given-engine-error.ts';
import type { Secrets } from './secrets.ts';

const log = { info: () => {} };

/**
 * Migrates both engines to the schema of this release, and sets the passwords of the services' Postgres roles.
 * @throws {GivenEngineError} when the administrator of an engine lacks a right
 */
export async function prepareDatabases(
  { postgresUrl, clickhouseUrl, clickhouseAdmin }: Engines,
  secrets: Secrets,
): Promise<void> {
  const { capture, consumer, management } = secrets.postgres;
  const postgres = async (): Promise<void> => {
    await createDatabase(postgresUrl);
    await migratePostgres(postgresUrl, { log });
    await setRolePasswords(postgresUrl, { capture, consumer, management });
  };
  const clickhouse = async (): Promise<void> => {
    await migrateClickhouse({ url: clickhouseUrl, ...clickhouseAdmin }, { log });
  };
  await Promise.all([
    postgres().catch((error: unknown) => {
      const right = 'databases, roles (CREATEROLE) and tables';
      throw withoutRight(error, `Postgres does not let user "${new URL(postgresUrl).username}" make ${right}`);
    }),
    clickhouse().catch((error: unknown) => {
      throw withoutRight(error, `ClickHouse does not let user "${clickhouseAdmin.user}" make databases and tables`);
    }),
  ]);
}

/** insufficient_privilege, ACCESS_DENIED. */
const deniedCodes = ['42501', '497'];

function withoutRight(error: unknown, sentence: string): unknown {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = at instanceof pg.DatabaseError ? at.code : errorCode(at);
    if (deniedCodes.includes(code ?? '')) return new GivenEngineError(`${sentence}: ${at.message}`, { cause: error });
  }
  return error;
}
