import { writeFileSync } from 'node:fs';
import { findUserErrors } from '@millrace/clickhouse/users/find-user-errors.ts';
import type { ClickhouseSecrets } from '@millrace/clickhouse/users/declared-users.ts';
import { makeUsers, UsersRefusedError } from '@millrace/clickhouse/users/make-users.ts';
import { buildAddedUsersXml } from '@millrace/clickhouse/users/users-document.ts';
import type { ClickhouseAddress } from './addresses.ts';
import { GivenEngineError } from './given-engine-error.ts';

const errorsShownMax = 5;

/**
 * Creates the services' users on a migrated ClickHouse of the user's own, and checks their rights. When its administrator may create no
 * users, they must come from a configuration file: `document` is the path where its text is written.
 * @throws {GivenEngineError} while a user, right, setting or row policy is missing
 */
export async function ensureClickhouseUsers(
  address: ClickhouseAddress,
  secrets: ClickhouseSecrets,
  document: string,
): Promise<void> {
  const denied = await makeUsers(address, { secrets }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof UsersRefusedError) return error;
      throw error;
    },
  );
  const errors = await findUserErrors(address.url, { secrets });
  if (errors.length === 0) return;
  const list = [...errors.slice(0, errorsShownMax), ...(errors.length > errorsShownMax ? ['…'] : [])].join('; ');
  if (denied === null)
    throw new GivenEngineError(
      `The users that Millrace made on the ClickHouse at ${address.url} are not what they must be (${list}). Nothing was started on it.`,
    );
  writeFileSync(document, buildAddedUsersXml({ secrets, from: 'anywhere' }), { mode: 0o600 });
  throw new GivenEngineError(`The ClickHouse at ${address.url} does not let user "${address.user}" create the users that Millrace needs, and these are missing or wrong: ${list}.
${denied.message}
Either let that user manage access (<access_management>1</access_management>; in the official image
CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT=1), or put this file into the server's folder users.d. Then start again:
  ${document}`);
}
