import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { Prisma, type OrganizationInvite } from '@millrace/postgres/generated/client.ts';
import { actorColumns, type Actor } from '../activity-log.ts';

/** Deletes open invites. Setups that were delegated by them return to their owners. */
export async function withdrawInvites(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  invites: readonly { id: string }[],
): Promise<void> {
  if (invites.length > 0)
    await withdrawWhere(transaction, actor, Prisma.sql`id = ANY(${invites.map(({ id }) => id)}::uuid[])`);
}

/** One statement that reads no invite, because there may be very many, with long messages. */
async function withdrawWhere(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  condition: Prisma.Sql,
): Promise<void> {
  await transaction.$executeRaw`
    WITH gone AS (DELETE FROM organization_invites WHERE ${condition} RETURNING *),
    given_back AS (
      UPDATE users SET onboarding_delegated_to_invite_id = NULL, onboarding_delegated_to_organization_id = NULL, onboarding_skipped_at = NULL, onboarding_skipped_reason = NULL
      WHERE onboarding_delegated_to_invite_id IN (SELECT id FROM gone WHERE is_setup_delegation) AND onboarding_delegation_accepted_at IS NULL
    )
    INSERT INTO activity_log (organization_id, actor, actor_user_id, actor_key_id, item_type, item_id, activity, before)
    SELECT organization_id, ${actorColumns(actor)}, 'invite', id::text, 'deleted',
      (SELECT jsonb_object_agg(key, value) FROM jsonb_each(to_jsonb(gone)) WHERE key = ANY(${describedColumns}))
    FROM gone ORDER BY id`;
}

interface Giver {
  organizationId: string;
  userId: number;
  /** The giver's level in the organization from now on; 0: no member any more. */
  level: number;
}

/**
 * Withdraws those invites of a user, and those that combine one of theirs (`giversOf`), that give more than they can give now, and the links
 * of others that they copied: otherwise they could come back by one of them.
 */
export async function withdrawInvitesAbove(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  { organizationId, userId, level }: Giver,
): Promise<void> {
  const orProjects = level < membershipLevels.admin ? Prisma.sql`OR private_project_access IS NOT NULL` : Prisma.empty;
  const theirs = Prisma.sql`(created_by_id = ${userId} OR ${userId}::integer = ANY(given_by_ids))`;
  await withdrawWhere(
    transaction,
    actor,
    Prisma.sql`organization_id = ${organizationId}::uuid AND ${theirs} AND (level > ${level} ${orProjects})`,
  );
  await forgetCopiedLinks(transaction, { organizationId, userId, level });
}

/** Links that the giver copied to the invites of others end as well. The log alone knows who copied one. */
async function forgetCopiedLinks(
  transaction: Prisma.TransactionClient,
  { organizationId, userId, level }: Giver,
): Promise<void> {
  const tooHigh = level < membershipLevels.admin ? 0 : level;
  await transaction.$executeRaw`
    UPDATE organization_invites SET copied_token_hash = NULL, updated_at = now()
    WHERE organization_id = ${organizationId}::uuid AND copied_token_hash IS NOT NULL AND level > ${tooHigh} AND id::text IN (
      SELECT item_id FROM activity_log
      WHERE organization_id = ${organizationId}::uuid AND actor_user_id = ${userId} AND item_type = 'invite' AND after -> 'link_copied' = 'true'::jsonb)`;
}

/** Columns that `describeInvite` is made of. */
const describedColumns = [
  'target_email',
  'level',
  'first_name',
  'message',
  'private_project_access',
  'is_setup_delegation',
];

/** An invite in the log of changes. */
export function describeInvite({
  targetEmail,
  level,
  firstName,
  message,
  privateProjectAccess,
  isSetupDelegation,
}: OrganizationInvite): Record<string, unknown> {
  return {
    target_email: targetEmail,
    level,
    first_name: firstName,
    message,
    private_project_access: privateProjectAccess,
    is_setup_delegation: isSetupDelegation,
  };
}
