import type { Pool } from '@millrace/postgres/pool.ts';
import type { TableLayout } from './build-request.ts';

/** The row of a version that is materialized. */
export interface MaterializationRow {
  /** `saved_query_id` of the API. */
  id: string;
  status: string;
  tableName: string | null;
  layout: TableLayout | null;
  rows: number | null;
  bytes: number | null;
  lastMaterializedAt: Date | null;
  error: string;
  hibernatedAt: Date | null;
}

/** The row of a version; null: it is not materialized. */
export async function readMaterialization(
  pool: Pick<Pool, 'query'>,
  versionId: string,
): Promise<MaterializationRow | null> {
  const { rows } = await pool.query<
    Omit<MaterializationRow, 'rows' | 'bytes'> & { rows: string | null; bytes: string | null }
  >(
    `SELECT id, status, table_name AS "tableName", layout, rows, bytes, last_materialized_at AS "lastMaterializedAt", error, hibernated_at AS "hibernatedAt"
     FROM materializations WHERE version_id = $1`,
    [versionId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const counted = (text: string | null): number | null => (text === null ? null : Number(text));
  return { ...row, rows: counted(row.rows), bytes: counted(row.bytes) };
}
