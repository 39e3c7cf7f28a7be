import type { MaterializationRow } from './materialization-row.ts';

/** Answer of the checks about a version's query. */
export type Materializability = { can: true } | { can: false; reason: string };

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
}

/** Renders the row of a version, null when it is not materialized. Pure. */
export function renderStatus(
  name: string,
  row: MaterializationRow | null,
  checks: Materializability,
): ShownMaterialization {
  const can = row !== null || checks.can;
  return {
    name,
    enabled: row !== null,
    ready: row !== null && row.tableName !== null,
    status: row?.status ?? 'Unknown',
    can_materialize: can,
    reason: can || checks.can ? null : checks.reason,
    last_materialized_at: row?.lastMaterializedAt?.toISOString() ?? null,
    error: row === null || row.status === 'Completed' ? '' : row.error,
    saved_query_id: row?.id ?? null,
    hibernated: row !== null && row.hibernatedAt !== null,
  };
}
