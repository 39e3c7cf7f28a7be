import type { Pool } from '@millrace/postgres/pool.ts';
import type { BuildStore } from './build-store.ts';
import { tableName, tablePrefix } from './table-name.ts';

export interface SweepOptions {
  scope: string;
  /** Milliseconds for which nothing names a table before it is removed: runs that began with it end. */
  graceMs: number;
}

/**
 * Removes tables that no version has: those of before a switch, those of builds that did not end, those of versions that are gone. It may
 * be called by any process at any time: what is there is read before what is wanted, so a table of a build under way is always wanted.
 */
export function createSweep(
  pool: Pick<Pool, 'query'>,
  store: Pick<BuildStore, 'namesOf' | 'drop'>,
  { scope, graceMs }: SweepOptions,
): () => Promise<number> {
  let unwantedSince = new Map<string, number>();
  return async () => {
    const there = await store.namesOf(tablePrefix(scope));
    const wanted = await wantedNames(pool, scope);
    const nowMs = performance.now();
    const before = unwantedSince;
    const unwanted = there.filter((name) => !wanted.has(name));
    unwantedSince = new Map(unwanted.map((name) => [name, before.get(name) ?? nowMs]));
    const due = unwanted.filter((name) => nowMs - (unwantedSince.get(name) ?? nowMs) >= graceMs);
    for (const name of due) await store.drop(name);
    return due.length;
  };
}

async function wantedNames(pool: Pick<Pool, 'query'>, scope: string): Promise<Set<string>> {
  const { rows } = await pool.query<{
    id: string;
    table_name: string | null;
    build_number: number;
    is_claimed: boolean;
  }>(
    `SELECT m.id, m.table_name, m.build_number, m.claimed_by IS NOT NULL AS is_claimed
     FROM materializations m JOIN projects p ON p.id = m.project_id WHERE p.deleted_at IS NULL`,
  );
  return new Set(
    rows.flatMap((row) => [
      ...(row.table_name === null ? [] : [row.table_name]),
      ...(row.is_claimed ? [tableName(scope, { rowId: row.id, buildNumber: row.build_number })] : []),
    ]),
  );
}
