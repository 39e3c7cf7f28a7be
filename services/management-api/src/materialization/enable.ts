import type { Pool } from '@millrace/postgres/pool.ts';

/** A version that is, or is to be, materialized. */
interface EnabledVersion {
  versionId: string;
  endpointId: string;
  projectId: number;
}

/** Marks a version as materialized; its first build is due at once. Does nothing to one that is. */
export async function enableMaterialization(
  pool: Pick<Pool, 'query'>,
  { versionId, endpointId, projectId }: EnabledVersion,
): Promise<void> {
  await pool.query(
    'INSERT INTO materializations (version_id, endpoint_id, project_id) VALUES ($1, $2, $3) ON CONFLICT (version_id) DO NOTHING',
    [versionId, endpointId, projectId],
  );
}
