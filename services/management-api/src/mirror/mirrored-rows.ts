import type { ColumnType } from '@millrace/contracts/tables/declare-table.ts';
import type { mirroredTables } from '@millrace/contracts/tables/mirrored-tables.ts';
import type { RowOf } from '@millrace/clickhouse/insert/table-columns.ts';

export type MirroredTable = (typeof mirroredTables)[number];
export type MirroredRow = RowOf<MirroredTable>;

/** A row of Postgres whose copy is not up to date. */
export interface UnmirroredRow {
  id: string;
  projectId: number;
}

const nothing = new Date(0);

/** Values of a copy whose row is gone: nothing of it is left. */
const empty: Readonly<Record<string, unknown>> = {
  String: '',
  'LowCardinality(String)': '',
  UUID: '00000000-0000-0000-0000-000000000000',
  Bool: false,
  UInt64: 0,
  'Array(String)': [],
  "DateTime64(6, 'UTC')": nothing,
} satisfies { [Type in ColumnType]?: unknown };

/**
 * Copies of these rows as they were found: those that were not found are marked deleted. Of the copies of a row that of the highest `version`
 * counts. Pure.
 */
export function copiesOf(
  { columns }: MirroredTable,
  rows: readonly UnmirroredRow[],
  found: readonly ({ id: string } & Record<string, unknown>)[],
  version: bigint,
): MirroredRow[] {
  const byId = new Map(found.map((row) => [row.id, row]));
  const gone = Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, empty[type] ?? null]));
  return rows.map(({ id, projectId }) => {
    const row = byId.get(id);
    const copy = { ...(row ?? { ...gone, id }), team_id: projectId, is_deleted: row === undefined, version };
    // Its other columns are those of the SELECT, which a test compares with the table.
    return copy;
  });
}

/** Bytes of a row beside its long texts, and in memory: more than any has. */
const rowBytes = 1_024;

/** The rows in their order, as many at a time as have `bytesMax` together, and one at least; `bytesOf`: bytes of their long texts. Pure. */
export function slicesOf(
  rows: readonly UnmirroredRow[],
  bytesOf: ReadonlyMap<string, number>,
  bytesMax: number,
): UnmirroredRow[][] {
  const slices: UnmirroredRow[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    const more = rowBytes + (bytesOf.get(row.id) ?? 0);
    if (bytes + more > bytesMax) {
      slices.push([]);
      bytes = 0;
    }
    slices.at(-1)?.push(row);
    bytes += more;
  }
  return slices;
}
