import type { Pool } from '@millrace/postgres/pool.ts';

/** Ends the materialization of a version. The sweep removes its table when no run reads it any more. */
export async function disableMaterialization(pool: Pick<Pool, 'query'>, versionId: string): Promise<void> {
  await pool.query('DELETE FROM materializations WHERE version_id = $1', [versionId]);
}
