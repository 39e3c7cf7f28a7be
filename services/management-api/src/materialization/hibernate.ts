import type { Pool } from '@millrace/postgres/pool.ts';

const unusedDaysMax = 30;

/** The part of an UPDATE of `materializations m` that pauses a version: no table, no builds. The sweep removes the table. */
export const toHibernation = `SET hibernated_at = statement_timestamp(), next_build_at = NULL, table_name = NULL, layout = NULL, rows = NULL, bytes = NULL,
  status = 'Unknown', build_number = m.build_number + 1, claimed_by = NULL, claimed_until = NULL`;

/**
 * Pauses what nobody has run for 30 days, and has been materialized for as long (contract/endpoints 6.1). Returns the number of versions.
 * Waits for no other transaction: a version that one of them holds has its turn the next time.
 */
export async function hibernateUnused(pool: Pick<Pool, 'query'>): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE materializations m ${toHibernation}
     FROM (
       SELECT o.id FROM materializations o JOIN endpoint_versions v ON v.id = o.version_id
       WHERE o.hibernated_at IS NULL AND greatest(v.last_executed_at, o.requested_at) < statement_timestamp() - $1 * interval '1 day'
       FOR UPDATE OF o SKIP LOCKED
     ) unused
     WHERE m.id = unused.id`,
    [unusedDaysMax],
  );
  return rowCount ?? 0;
}
