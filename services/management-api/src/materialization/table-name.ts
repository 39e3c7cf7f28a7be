import type { Pool } from '@millrace/postgres/pool.ts';

/**
 * Name of the table that one build of a version makes, and of its view. `scope` keeps systems apart that share a ClickHouse. Pure.
 * No two builds have one name: each has a number of its own of its row, and a version that is enabled again has another row.
 */
export function tableName(scope: string, { rowId, buildNumber }: { rowId: string; buildNumber: number }): string {
  return `m_${scope}_${rowId.replaceAll('-', '')}_${buildNumber}`;
}

/** The beginning of the names of all tables of a system. Pure. */
export const tablePrefix = (scope: string): string => `m_${scope}_`;

/**
 * Eight characters of this database, also after it was restored from a backup: so a copy of the same name has the same (docs/operations.md).
 */
export async function readScope(pool: Pick<Pool, 'query'>): Promise<string> {
  const { rows } = await pool.query<{ scope: string }>(
    `SELECT left(encode(sha256(convert_to(id || current_database(), 'UTF8')), 'hex'), 8) AS scope
     FROM _prisma_migrations ORDER BY started_at, id LIMIT 1`,
  );
  if (rows[0] === undefined) throw new Error('the database has no migrations');
  return rows[0].scope;
}
