import { postgresRoles, type PostgresRole, roleUrl } from '@millrace/postgres/role-passwords.ts';
import { readMigrations } from '@millrace/postgres/migration-files.ts';
import { describeError } from '@millrace/runtime/logs/describe-error.ts';
import pg from 'pg';
import { connectTo, isWithoutDatabase, maintenanceUrl } from '../create-database.ts';
import type { PostgresAddress } from './addresses.ts';
import { GivenEngineError } from './given-engine-error.ts';
import { isNewEnough, neededVersions } from './versions.ts';

/** invalid_password, invalid_authorization_specification. */
const wrongLogin = ['28P01', '28000'];

/**
 * Checks a Postgres of the user's own before anything is changed in it: it replies, it is new enough, the database is empty or the
 * product's, and the services' roles do not belong to another system.
 * @throws {GivenEngineError}
 */
export async function checkPostgres(address: PostgresAddress, passwords: Record<PostgresRole, string>): Promise<void> {
  const { client, reached } = await connect(address);
  try {
    const [version = ''] = await column(client, 'SHOW server_version');
    if (!isNewEnough(version, neededVersions.postgres))
      throw new GivenEngineError(
        `The Postgres at ${address.shown} is ${version}, and Millrace needs ${neededVersions.postgres} or newer.`,
      );
    if (reached === address.url) await refuseForeignDatabase(client, address);
    await refuseForeignRoles(client, reached, address, passwords);
  } finally {
    await client.end();
  }
}

/** Connects to the database of the address; when that does not exist yet, to the server's own. `reached`: the URL used. */
async function connect({ url, shown }: PostgresAddress): Promise<{ client: pg.Client; reached: string }> {
  for (const reached of [url, maintenanceUrl(url)]) {
    try {
      return { client: await connectTo(reached), reached };
    } catch (error) {
      if (reached === url && isWithoutDatabase(error)) continue;
      if (error instanceof pg.DatabaseError && wrongLogin.includes(error.code ?? ''))
        throw new GivenEngineError(
          `The Postgres at ${shown} does not let user "${new URL(url).username}" in: ${error.message}. Its address is postgres://user:password@host:port/database.`,
          { cause: error },
        );
      throw new GivenEngineError(
        `No Postgres answers at ${shown} (${describeError(error).message}). Is it started, and is this its address?`,
        { cause: error },
      );
    }
  }
  throw new GivenEngineError(
    `The Postgres at ${shown} has no database "postgres", which is needed to create the other one.`,
  );
}

async function refuseForeignDatabase(client: pg.Client, { shown }: PostgresAddress): Promise<void> {
  const [encoding = ''] = await column(client, 'SHOW server_encoding');
  if (encoding !== 'UTF8')
    throw new GivenEngineError(
      `The database at ${shown} is in ${encoding}, and Millrace needs UTF8. Name a database that does not exist yet: it is created at the start.`,
    );
  const [folded] = await column(client, "SELECT lower('Ö')");
  if (folded !== 'ö')
    throw new GivenEngineError(
      `The database at ${shown} compares only ASCII letters (its locale is C), so a search would miss names with other letters. Create one for all letters: CREATE DATABASE millrace TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`,
    );
  const tables = await column(client, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1");
  if (tables.length === 0) return;
  const applied = tables.includes('_prisma_migrations')
    ? await column(client, 'SELECT migration_name FROM "_prisma_migrations"')
    : [];
  const [first] = readMigrations();
  // A killed first start leaves an empty table of migrations.
  if ((first !== undefined && applied.includes(first.name)) || tables.join() === '_prisma_migrations') return;
  throw new GivenEngineError(
    `The database at ${shown} holds tables that are not Millrace's (${tables.slice(0, 3).join(', ')}). Name one that is empty or does not exist yet: postgres://user:password@host:port/millrace`,
  );
}

async function refuseForeignRoles(
  client: pg.Client,
  reached: string,
  { shown }: PostgresAddress,
  passwords: Record<PostgresRole, string>,
): Promise<void> {
  const names = Object.values(postgresRoles);
  const { rows } = await client.query<{ rolname: string }>(
    'SELECT rolname FROM pg_roles WHERE rolcanlogin AND rolname = ANY ($1)',
    [names],
  );
  for (const [role, name] of Object.entries(postgresRoles) as [PostgresRole, string][]) {
    if (!rows.some(({ rolname }) => rolname === name) || (await letsIn(roleUrl(reached, role, passwords[role]))))
      continue;
    throw new GivenEngineError(
      `The Postgres at ${shown} has a role "${name}" whose password this data folder does not know: another Millrace uses this server, or another folder was started on it. Start with that folder (MILLRACE_DATA_DIR), give another Postgres, or close the roles when nobody needs them: ${names.map((other) => `ALTER ROLE ${other} NOLOGIN;`).join(' ')}`,
    );
  }
}

async function letsIn(url: string): Promise<boolean> {
  try {
    await (await connectTo(url)).end();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && wrongLogin.includes(error.code ?? '')) return false;
    throw error;
  }
}

async function column(client: pg.Client, sql: string): Promise<string[]> {
  const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' });
  return rows.map(([value]) => value ?? '');
}
