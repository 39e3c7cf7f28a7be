import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { queryAs, type QueryOptions } from '@millrace/engines/canary-setup.ts';
import { startClickhouse, type ClickhouseEngine } from '@millrace/engines/clickhouse.ts';
import { tenantHeaderNames, tenantHeaders } from '../users/tenant-token.ts';
import type { ClickhouseSecrets } from '../users/declared-users.ts';
import { buildUsersXml, type ClickhouseUsersOptions } from '../users/users-document.ts';

// For tests of the users: they query a server with our users document, and nothing else of ours.

export const serverSecrets: ClickhouseSecrets = {
  admin: `admin ${randomBytes(4).toString('hex')} <&>`,
  writer: 'writer-password',
  tenant: 'tenant-password',
  materializer: 'materializer-password',
  maintainer: 'maintainer-password',
  recorder: 'recorder-password',
  tokenSecret: randomBytes(16).toString('hex'),
};

/** Tables of the row policies; each test makes those that it needs. */
export const policyTables = ['events', 'persons'] as const;

type User = Exclude<keyof ClickhouseSecrets, 'tokenSecret'> | 'operator';

const passwords = { ...serverSecrets, operator: 'operator-password' };

/** A user that may read all users; on the local server no user may change them. */
const operatorDocument = `<clickhouse><users><operator>
<password>${passwords.operator}</password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
<access_management>1</access_management>
</operator></users></clickhouse>`;

/** A ClickHouse of its own whose users are those of our document. */
export async function startServer(
  folder: string,
  from: ClickhouseUsersOptions['from'] = 'loopback',
): Promise<ClickhouseEngine> {
  return await startClickhouse({
    dataDir: join(folder, 'clickhouse'),
    usersDocument: [
      buildUsersXml({
        secrets: serverSecrets,
        tables: policyTables.map((name) => ({ name, tenantColumn: 'team_id' })),
        from,
      }),
      operatorDocument,
    ],
    login: { user: 'admin', password: serverSecrets.admin },
    logFile: join(folder, 'clickhouse.log'),
  });
}

/** Sends one statement and returns the reply's text. @throws {Error} with ClickHouse's own message when it refuses. */
export async function query(url: string, user: User, statement: string, options?: QueryOptions): Promise<string> {
  return await queryAs({ user, password: passwords[user] }, url, statement, options);
}

/** The token of one team. */
export function tokenOf(teamId: number): string {
  return tenantHeaders(serverSecrets.tokenSecret, teamId)[tenantHeaderNames.token] ?? '';
}

/** As a tenant's query is sent: with the token of its team. */
export async function queryAsTeam(
  url: string,
  teamId: number,
  statement: string,
  settings: Record<string, string | number> = {},
): Promise<string> {
  return await query(url, 'tenant', statement, { headers: tenantHeaders(serverSecrets.tokenSecret, teamId), settings });
}

/** A query that says it is of this team, with this token. */
export function withToken(token: string, team = '1'): QueryOptions {
  return { headers: { [tenantHeaderNames.team]: team, [tenantHeaderNames.token]: token } };
}
