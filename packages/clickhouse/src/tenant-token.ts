import { createHash } from 'node:crypto';

/**
 * What a tenant's query carries as `log_comment`: its row policies show the rows of this team to no other text.
 * Only they and the sender know `secret`; the token opens one team and says nothing of another's.
 */
export function tenantToken(secret: string, teamId: number): string {
  if (!Number.isSafeInteger(teamId)) throw new RangeError('a team id is a whole number');
  return `${teamId}.${createHash('sha256').update(`${secret}:${teamId}:${secret}`).digest('hex')}`;
}
