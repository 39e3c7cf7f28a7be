import { ClickHouseError } from '@clickhouse/client';
import { type ClickhouseOptions, createClickhouse } from '../client.ts';
import { buildUserStatements } from './user-statements.ts';

/** Whoever was given as the administrator may not make users there, or the server keeps its users in files alone. */
export class UsersRefusedError extends Error {
  override name = 'UsersRefusedError';
}

/** ACCESS_STORAGE_READONLY, ACCESS_DENIED, ACCESS_STORAGE_FOR_INSERTION_NOT_FOUND. */
const deniedCodes = ['495', '497', '514'];

/**
 * Makes the services' users on a server by an administrator's address, or brings them to what this release declares.
 * Users of these names that exist are changed: check `userNamesOf` first. The statements are kept out of the server's
 * `query_log`, since the token's secret is in some.
 * @throws {UsersRefusedError}
 */
export async function makeUsers(
  administrator: ClickhouseOptions,
  options: Parameters<typeof buildUserStatements>[0],
): Promise<void> {
  const client = createClickhouse({ ...administrator, applicationName: 'millrace-users' });
  try {
    for (const query of buildUserStatements(options)) {
      await client.command({ query, clickhouse_settings: { log_queries: 0 } }).catch((error: unknown) => {
        throw statementError(query, error);
      });
    }
  } finally {
    await client.close();
  }
}

/** Does not contain ClickHouse's message, which may repeat the statement with the secret. */
function statementError(statement: string, error: unknown): unknown {
  if (!(error instanceof ClickHouseError)) return error;
  const what = statement.replace(/ (?:IDENTIFIED|SETTINGS \w+ =|FOR SELECT|TO) .*$/s, ' …');
  const text = `ClickHouse refused "${what}": ${error.type ?? ''} (${error.code})`;
  return deniedCodes.includes(error.code) ? new UsersRefusedError(text) : new Error(text);
}
