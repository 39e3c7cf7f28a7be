import type { Materialization } from '@millrace/postgres/generated/client.ts';

/** The fields of a version's row that are shown. */
export type ShownRow = Pick<
  Materialization,
  'id' | 'status' | 'tableName' | 'lastMaterializedAt' | 'error' | 'hibernatedAt' | 'bucketsRebuilt' | 'rowsRead'
>;

/** State of a version's materialization as the API shows it (contract/endpoints 6.1). */
export interface ShownMaterialization {
  name: string;
  enabled: boolean;
  ready: boolean;
  status: string;
  can_materialize: boolean;
  reason: string | null;
  last_materialized_at: string | null;
  error: string;
  saved_query_id: string | null;
  hibernated: boolean;
  buckets_rebuilt: number | null;
  rows_read: number | null;
}

/** Whether a version can be materialized (contract/endpoints 6.2); one that is can. `reason`: why not, or why that is not known; else null. */
export interface ShownVerdict {
  canMaterialize: boolean;
  reason: string | null;
}

/** Renders the row of a version; one that is not materialized has none. Pure. */
export function renderStatus(
  name: string,
  row: ShownRow | null,
  { canMaterialize, reason }: ShownVerdict,
): ShownMaterialization {
  const table = row?.tableName ? row : null;
  return {
    name,
    enabled: row !== null,
    ready: row !== null && row.tableName !== null,
    status: row?.status ?? 'Unknown',
    can_materialize: canMaterialize,
    reason,
    last_materialized_at: row?.lastMaterializedAt?.toISOString() ?? null,
    error: row === null || row.status === 'Completed' ? '' : row.error,
    saved_query_id: row?.id ?? null,
    hibernated: row !== null && row.hibernatedAt !== null,
    buckets_rebuilt: table?.bucketsRebuilt ?? null,
    rows_read: table?.rowsRead ?? null,
  };
}
