import { createHash } from 'node:crypto';

/** Names of the headers by which a query says whose it is: the team, and the signature of that. */
export const tenantHeaderNames = { team: 'x-millrace-team', token: 'x-millrace-team-token' } as const;

/**
 * In the message of ClickHouse's error (395) about a query with another token than the row policies require, or with
 * none.
 */
export const tenantTokenError = 'the token of the team is not valid';

/**
 * The capability of one team: headers with which a tenant's query is sent, and without which its row policies let nothing be read.
 * Headers, because ClickHouse writes settings and addresses into its logs and `system.processes`, and headers nowhere; and no SQL can
 * set one. Only the policies and the sender know `secret`; the token opens one team and says nothing of another's.
 */
export function tenantHeaders(secret: string, teamId: number): Readonly<Record<string, string>> {
  if (!Number.isSafeInteger(teamId)) throw new RangeError('a team id is a whole number');
  const token = createHash('sha256').update(`${secret}:team:${teamId}:${secret}`).digest('hex').toUpperCase();
  return { [tenantHeaderNames.team]: String(teamId), [tenantHeaderNames.token]: token };
}

/** SHA-256 of a capability's token, in upper case: it says whether a token is right, and is none. Pure. @throws {Error} for headers without a token */
export function tokenHash(headers: Readonly<Record<string, string>>): string {
  const token = headers[tenantHeaderNames.token];
  // A query without the header has an empty one.
  if (!token) throw new Error('there is no token in the headers');
  return createHash('sha256').update(token).digest('hex').toUpperCase();
}
