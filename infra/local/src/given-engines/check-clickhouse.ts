import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { errorCode } from '@millrace/clickhouse/error-code.ts';
import { type ClickhouseSecrets, declareUsers } from '@millrace/clickhouse/users/declared-users.ts';
import { describeError } from '@millrace/runtime/logs/describe-error.ts';
import type { ClickhouseAddress } from './addresses.ts';
import { GivenEngineError } from './given-engine-error.ts';
import { isNewEnough, neededVersions } from './versions.ts';

type ClickHouseClient = ReturnType<typeof createClickhouse>;

const answerMsMax = 10_000;
const accessDenied = '497';
const wrongLogin = ['516', '192', '193'];

/**
 * Checks a ClickHouse of the user's own before anything is changed in it: it replies, it is new enough, and the names of the product's
 * database and users are free or its own.
 * @throws {GivenEngineError}
 */
export async function checkClickhouse(address: ClickhouseAddress, secrets: ClickhouseSecrets): Promise<void> {
  const client = createClickhouse({ ...address, requestTimeoutMs: answerMsMax });
  try {
    const version = await versionOf(client, address);
    if (!isNewEnough(version, neededVersions.clickhouse))
      throw new GivenEngineError(
        `The ClickHouse at ${address.url} is ${version}, and Millrace needs ${neededVersions.clickhouse} or newer.`,
      );
    await refuseForeignTables(client, address);
    await refuseForeignUsers(client, address, secrets);
  } finally {
    await client.close();
  }
}

async function versionOf(client: ClickHouseClient, { url, user }: ClickhouseAddress): Promise<string> {
  try {
    return (await column(client, 'SELECT version() AS value'))[0] ?? '';
  } catch (error) {
    if (wrongLogin.includes(errorCode(error) ?? ''))
      throw new GivenEngineError(
        `The ClickHouse at ${url} does not let user "${user}" in with this password. Its address is http://user:password@host:port.`,
        { cause: error },
      );
    throw new GivenEngineError(
      `No ClickHouse answers at ${url} (${describeError(error).message}). Is it started, and is this its HTTP port (8123 unless changed)?`,
      { cause: error },
    );
  }
}

async function refuseForeignTables(client: ClickHouseClient, { url }: ClickhouseAddress): Promise<void> {
  const tables = await column(client, "SELECT name AS value FROM system.tables WHERE database = 'analytics'");
  if (tables.length === 0 || tables.includes('schema_migrations')) return;
  throw new GivenEngineError(
    `The ClickHouse at ${url} has a database "analytics" with tables that are not Millrace's (${tables.slice(0, 3).join(', ')}), and Millrace needs that name. Rename it there, or give another ClickHouse.`,
  );
}

/** Refuses users with the product's names and other passwords: they belong to another system. */
async function refuseForeignUsers(
  client: ClickHouseClient,
  { url }: ClickhouseAddress,
  secrets: ClickhouseSecrets,
): Promise<void> {
  const ours = declareUsers({ secrets }).users.map(({ name }) => name);
  const all = await column(client, 'SELECT name AS value FROM system.users').catch((error: unknown): string[] => {
    // An administrator that may not list users cannot change them either.
    if (errorCode(error) === accessDenied) return [];
    throw error;
  });
  for (const name of ours.filter((user) => all.includes(user))) {
    // Nobody logs in as `definer`. It is made after `writer`.
    const isOurs =
      name === 'definer' ? all.includes('writer') : await letsIn({ url, user: name, password: secrets[name] });
    if (isOurs) continue;
    throw new GivenEngineError(
      `The ClickHouse at ${url} has a user "${name}" whose password this data folder does not know: another Millrace uses this server, or another folder was started on it. Start with that folder (MILLRACE_DATA_DIR), give another ClickHouse, or remove the users when nobody needs them: DROP USER ${ours.join(', ')}`,
    );
  }
}

async function letsIn(login: ClickhouseAddress): Promise<boolean> {
  const client = createClickhouse({ ...login, requestTimeoutMs: answerMsMax });
  try {
    await column(client, "SELECT '' AS value");
    return true;
  } catch (error) {
    if (wrongLogin.includes(errorCode(error) ?? '')) return false;
    throw error;
  } finally {
    await client.close();
  }
}

async function column(client: ClickHouseClient, query: string): Promise<string[]> {
  const reply = await client.query({ query, format: 'JSONEachRow' });
  return (await reply.json<{ value: string }>()).map(({ value }) => value);
}
