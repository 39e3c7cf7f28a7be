import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { shareOfWindow } from './next-build.ts';

/** A version whose materialization changes. */
interface ChangedVersion {
  versionId: string;
  endpointId: string;
}

/** See `changeMaterialization`; null: nothing changes. */
export type MaterializationChange = 'enable' | 'disable' | 'disableAll' | 'modify' | 'retry' | 'reschedule' | null;

/** Changes that make a build due at once. */
export const buildsAtOnce = (change: MaterializationChange): boolean =>
  change === 'enable' || change === 'modify' || change === 'retry';

/**
 * Changes the materialization of a version together with the version itself. `enable`: its first build is due at once, or the
 * first after it hibernated. `disable`: the sweep removes the table when no run reads it any more. `modify`: the table is of before, so runs do
 * without it, a build under way is void, and another is due now. `retry`: after a failure the next build is due now. `reschedule`: the next build is due by the present freshness; one without a table, or after a failure of ours, no later
 * than before.
 */
export async function changeMaterialization(
  transaction: Pick<Prisma.TransactionClient, 'materialization' | '$executeRaw'>,
  change: MaterializationChange,
  { versionId, endpointId }: ChangedVersion,
): Promise<void> {
  switch (change) {
    case 'enable':
      // The version itself says whose rows are read.
      await transaction.$executeRaw`INSERT INTO materializations (version_id, endpoint_id, project_id)
        SELECT v.id, e.id, e.project_id FROM endpoint_versions v JOIN endpoints e ON e.id = v.endpoint_id
        WHERE v.id = ${versionId}::uuid
        ON CONFLICT (version_id) DO UPDATE
          SET hibernated_at = NULL, requested_at = statement_timestamp(), next_build_at = statement_timestamp()
          WHERE materializations.hibernated_at IS NOT NULL`;
      return;
    case 'disable':
      await transaction.materialization.deleteMany({ where: { versionId } });
      return;
    case 'disableAll':
      await transaction.materialization.deleteMany({ where: { endpointId } });
      return;
    case 'modify':
      await transaction.$executeRaw`UPDATE materializations
        SET status = 'Modified', table_name = NULL, layout = NULL, rows = NULL, bytes = NULL, error = '', retries = 0,
          build_number = build_number + 1, claimed_by = NULL, claimed_until = NULL,
          next_build_at = CASE WHEN hibernated_at IS NULL THEN statement_timestamp() END
        WHERE version_id = ${versionId}::uuid`;
      return;
    case 'retry':
      await transaction.$executeRaw`UPDATE materializations SET retries = 0, next_build_at = statement_timestamp()
        WHERE version_id = ${versionId}::uuid AND status = 'Failed' AND hibernated_at IS NULL AND claimed_until IS NULL`;
      return;
    case 'reschedule':
      await transaction.$executeRaw`UPDATE materializations m
        SET next_build_at = CASE WHEN m.table_name IS NULL OR m.retries > 0 THEN least(m.next_build_at, due.at) ELSE due.at END
        FROM (
          SELECT o.id, coalesce(o.last_materialized_at, statement_timestamp())
            + v.data_freshness_seconds * ${shareOfWindow(versionId)}::float8 * interval '1 second' AS at
          FROM materializations o JOIN endpoint_versions v ON v.id = o.version_id WHERE o.version_id = ${versionId}::uuid
        ) due
        WHERE m.id = due.id AND m.hibernated_at IS NULL AND m.claimed_until IS NULL`;
      return;
    case null:
  }
}
