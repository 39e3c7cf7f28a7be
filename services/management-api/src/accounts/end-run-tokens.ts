import { Prisma } from '@millrace/postgres/generated/client.ts';
import { actorColumns, type Actor } from '../activity-log.ts';

/**
 * Ends the run tokens that a user made, in one organization or (without it) everywhere, and writes each down. Tokens count only
 * as long as their maker is a member (`run-token-store.ts`); this ends them for good, also for a member who comes back.
 * One statement, which reads none of them: a maker who has very many, with large values pinned, is ended like any other.
 */
export async function endRunTokens(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  { userId, organizationId }: { userId: number; organizationId?: string },
): Promise<void> {
  const here =
    organizationId === undefined ? Prisma.empty : Prisma.sql`AND p.organization_id = ${organizationId}::uuid`;
  await transaction.$executeRaw`
    WITH ended AS (
      DELETE FROM endpoint_tokens t USING endpoints e, projects p
      WHERE t.created_by_id = ${userId} AND e.id = t.endpoint_id AND p.id = e.project_id ${here}
      RETURNING t.id, t.label, t.mask_value, e.name, e.project_id, p.organization_id
    )
    INSERT INTO activity_log (organization_id, project_id, actor, actor_user_id, actor_key_id, item_type, item_id, activity, before)
    SELECT organization_id, project_id, ${actorColumns(actor)}, 'endpoint_token', id::text, 'deleted',
      jsonb_build_object('endpoint', name, 'label', label, 'mask_value', mask_value)
    FROM ended ORDER BY id`;
}
