import { ColumnValueError, type Column } from './columns.ts';
import { monthOf } from './date-time.ts';
import { RowsRefusedError } from './insert-errors.ts';
import { RowWriter } from './row-writer.ts';
import type { RowOf, Table } from './tables.ts';

/** ClickHouse refuses an insert that touches more partitions (`max_partitions_per_insert_block`). */
const partitionsPerInsertMax = 100;

/** Rows of one insert are of similar size: how much room the rest takes is known after so many. */
const rowsTried = 64;
const bytesPerRowExpected = 2_000;

/**
 * The rows (or those of `indexes`) as one RowBinary body. Pure.
 *
 * Why RowBinary: measured at 10,000 rows of 22 properties (658 bytes of text, and the map), CPU per row to encode, to
 * send, and of the server: RowBinary 11 + 1 + 9 µs, JSONCompactEachRow 13 + 11 + 11, JSONEachRow 15 + 11 + 10. Its body
 * is also the smallest (1.56 kB a row, against 1.84 and 2.13), and no text can break its syntax. Ways to hand the map
 * over (`Map`, object, list of pairs) cost the same within the noise.
 * @throws {RowsRefusedError} with the row's index and column when a value does not fit its column.
 */
export function encodeRows<T extends Table>(table: T, rows: readonly RowOf<T>[], indexes?: readonly number[]): Buffer {
  const amount = indexes?.length ?? rows.length;
  const writer = new RowWriter(Math.min(amount, rowsTried) * bytesPerRowExpected);
  const columns = Object.entries(table.columns) as [string, Column<unknown>][];
  let name = '';
  let rowIndex = 0;
  let written = 0;
  try {
    for (rowIndex of indexes ?? rows.keys()) {
      if (written++ === rowsTried) writer.expect((writer.size / rowsTried) * 1.1 * (amount - rowsTried));
      const row = rows[rowIndex] as Record<string, unknown>;
      for (const [column, { write }] of columns) write(writer, row[(name = column)]);
    }
  } catch (error) {
    if (!(error instanceof ColumnValueError)) throw error;
    throw new RowsRefusedError(`${table.name}: ${name} of row ${rowIndex} ${error.message}`, { rowIndex, cause: error });
  }
  return writer.written;
}

/**
 * Cuts rows into groups that touch at most 100 monthly partitions each, as indexes of `rows`; one
 * group, undefined for all of them, when they fit. The same rows always give the same groups, in the order of their months. Pure.
 */
export function groupByPartitions<T extends Table>(table: T, rows: readonly RowOf<T>[]): (readonly number[] | undefined)[] {
  const column = table.partitionTime;
  if (column === null || rows.length <= partitionsPerInsertMax) return [undefined];
  const months = rows.map((row) => monthOf((row as Record<string, string | Date>)[column] as string | Date));
  const distinct = [...new Set(months)].sort();
  if (distinct.length <= partitionsPerInsertMax) return [undefined];
  const groupOf = new Map(distinct.map((month, index) => [month, Math.floor(index / partitionsPerInsertMax)]));
  const groups = Array.from({ length: Math.ceil(distinct.length / partitionsPerInsertMax) }, (): number[] => []);
  months.forEach((month, index) => groups[groupOf.get(month) as number]?.push(index));
  return groups;
}
