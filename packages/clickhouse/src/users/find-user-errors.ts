import { text } from 'node:stream/consumers';
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { createClickhouse } from '../client.ts';
import {
  type ClickhouseSecrets,
  type DeclaredProfile,
  type DeclaredUser,
  declareUsers,
  type DeclareUsersOptions,
} from './declared-users.ts';
import { tenantHeaders, tenantTokenError } from './tenant-token.ts';

/**
 * Checks a migrated server with the login of each service's user: the login works, the rights and settings are there, and every row
 * policy refuses a query without the token and allows one with it. Returns one phrase for each error; an empty list means that the
 * server is safe to use. It does not matter how the users were made. Nobody can log in as `definer`, so nothing is said of it.
 * @throws the client's error when the server does not respond
 */
export async function findUserErrors(
  url: string,
  options: DeclareUsersOptions & { secrets: ClickhouseSecrets },
): Promise<string[]> {
  const { profiles, users } = declareUsers(options);
  const errors = await Promise.all(
    users.map(async (user) => {
      const { name } = user;
      if (name === 'definer') return [];
      const client = createClickhouse({ url, user: name, password: options.secrets[name] });
      try {
        if ((await errorOf(client, 'SELECT 1')) !== null) return [`user ${name} is not let in`];
        return [
          ...(await rightErrors(client, user)),
          ...(await settingErrors(client, user, profiles)),
          ...(await policyErrors(client, user, options.secrets.tokenSecret)),
        ];
      } finally {
        await client.close();
      }
    }),
  );
  return errors.flat();
}

async function rightErrors(client: ClickHouseClient, { name, rights }: DeclaredUser): Promise<string[]> {
  const errors: string[] = [];
  for (const right of rights) {
    // `exec`, because CHECK GRANT accepts no FORMAT, which `query` would add.
    const { stream } = await client.exec({ query: `CHECK GRANT ${right}` });
    if ((await text(stream)).trim() !== '1') errors.push(`user ${name} has no right to ${right}`);
  }
  return errors;
}

async function settingErrors(
  client: ClickHouseClient,
  { name, profile }: DeclaredUser,
  profiles: readonly DeclaredProfile[],
): Promise<string[]> {
  const declared = Object.entries(profiles.find((candidate) => candidate.name === profile)?.settings ?? {});
  const reply = await client.query({
    query: 'SELECT name, value FROM system.settings WHERE name IN {names:Array(String)}',
    query_params: { names: declared.map(([setting]) => setting) },
    format: 'JSONEachRow',
  });
  const actual = new Map((await reply.json<{ name: string; value: string }>()).map((row) => [row.name, row.value]));
  return declared
    .filter(([setting, value]) => actual.get(setting) !== String(value))
    .map(([setting, value]) => `user ${name} has ${setting} = ${actual.get(setting) ?? 'nothing'} instead of ${value}`);
}

async function policyErrors(
  client: ClickHouseClient,
  { name, policies }: DeclaredUser,
  tokenSecret: string,
): Promise<string[]> {
  const errors: string[] = [];
  for (const { table } of policies) {
    const query = `SELECT 1 FROM analytics.${table} LIMIT 1`;
    if (!((await errorOf(client, query)) ?? '').includes(tenantTokenError))
      errors.push(`user ${name} reads analytics.${table} without a token`);
    // Team 0 does not exist, so the query reads no rows.
    else if ((await errorOf(client, query, tenantHeaders(tokenSecret, 0))) !== null)
      errors.push(`user ${name} is refused analytics.${table} with a token of this system`);
  }
  return errors;
}

/** The error message of ClickHouse; null when the query succeeded. */
async function errorOf(
  client: ClickHouseClient,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  try {
    const reply = await client.query({ query, http_headers: { ...headers } });
    await reply.text();
    return null;
  } catch (error) {
    if (error instanceof ClickHouseError) return error.message;
    throw error;
  }
}
