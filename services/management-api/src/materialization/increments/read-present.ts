import type { Pool } from '@millrace/postgres/pool.ts';
import type { TableLayout } from '../build-request.ts';
import type { ClaimedBuild } from '../claim-build.ts';
import type { PresentTable } from './decide-increment.ts';

/** The table that a version has, null where it has none, and the version's freshness. */
export async function readPresent(
  pool: Pick<Pool, 'query'>,
  { rowId, buildNumber }: Pick<ClaimedBuild, 'rowId' | 'buildNumber'>,
): Promise<{ table: PresentTable | null; freshnessSeconds: number }> {
  const { rows } = await pool.query<{ table_name: string | null; layout: string | null; seconds: number }>(
    `SELECT m.table_name, m.layout, v.data_freshness_seconds AS seconds
     FROM materializations m JOIN endpoint_versions v ON v.id = m.version_id WHERE m.id = $1 AND m.build_number = $2`,
    [rowId, buildNumber],
  );
  const [row] = rows;
  const layout = row?.layout ? (JSON.parse(row.layout) as TableLayout) : null;
  return {
    table: row?.table_name && layout ? { name: row.table_name, increment: layout.increment } : null,
    freshnessSeconds: row?.seconds ?? 0,
  };
}
