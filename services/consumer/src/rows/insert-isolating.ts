import { RowsRefusedError } from '@millrace/clickhouse/insert/insert-errors.ts';
import type { RowList } from '@millrace/clickhouse/insert/row-list.ts';
import type { RowIndex } from './row-index.ts';
import type { Position } from '../stream/position.ts';

/** A row and where it comes from. */
export interface IndexedRow<Row> {
  readonly row: Row;
  readonly position: Position;
}

/** The insert to run, and `refused`, which receives the refused rows with the engine's error. */
export interface Isolating<Row, Indexed extends IndexedRow<Row>> {
  insert: (rows: RowList<Row>, token: string) => Promise<void>;
  rowIndex: RowIndex;
  /** True: halve the rows before inserting; a single row is inserted at any size. Default: never. */
  isTooMuch?: (rows: readonly Indexed[]) => boolean;
  refused: Map<Indexed, string>;
}

/**
 * Maximum refused rows of one batch. With more, the rows are not the cause: the table is not as this build expects it.
 */
export const refusedMax = 20;

/**
 * Inserts rows under a token; when the engine refuses some, halves their range of the batch until each refused row is
 * alone and every other row is stored. Where a half begins and ends depends on the batch's records alone, and its token
 * names that: when the batch is done again with fewer rows missing, it comes to the same ranges under the same tokens
 * (see `duplicates/drop-duplicates.ts`).
 * @throws what `insert` throws, and an error when more than `refusedMax` rows are refused; the call may be repeated.
 */
export async function insertIsolating<Row, Indexed extends IndexedRow<Row>>(
  rows: readonly Indexed[],
  token: string,
  how: Isolating<Row, Indexed>,
): Promise<void> {
  await insertRange(rows, { token, from: 0, to: null }, how);
}

/** Rows `from` to before `to` (null: the end) of a batch, whose token this is. */
interface RowRange {
  token: string;
  from: number;
  to: number | null;
}

async function insertRange<Row, Indexed extends IndexedRow<Row>>(
  rows: readonly Indexed[],
  range: RowRange,
  how: Isolating<Row, Indexed>,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const token = tokenOf(range);
  if (rows.length > 1 && (how.rowIndex.divided.has(token) || how.isTooMuch?.(rows) === true)) {
    how.rowIndex.divided.add(token);
    return insertHalves(rows, range, how);
  }
  try {
    await how.insert({ length: rows.length, at: (index) => rows[index]?.row }, token);
  } catch (error) {
    if (!(error instanceof RowsRefusedError)) throw error;
    // Months that were not refused are stored under this token, and must not come under another.
    if (rows.length > 1)
      return insertHalves(
        error.refused === null ? rows : error.refused.map((index) => rows[index] as Indexed),
        range,
        how,
      );
    how.refused.set(first, error.message);
    if (how.refused.size > refusedMax)
      throw new Error('ClickHouse refuses too many rows of one batch', { cause: error });
  }
}

async function insertHalves<Row, Indexed extends IndexedRow<Row>>(
  rows: readonly Indexed[],
  { token, from, to }: RowRange,
  how: Isolating<Row, Indexed>,
): Promise<void> {
  const end = to ?? how.rowIndex.count;
  const middle = (from + end) >> 1;
  const isBefore = ({ position }: Indexed): boolean => how.rowIndex.of(position) < middle;
  await insertRange(rows.filter(isBefore), { token, from, to: middle }, how);
  await insertRange(
    rows.filter((row) => !isBefore(row)),
    { token, from: middle, to: end },
    how,
  );
}

function tokenOf({ token, from, to }: RowRange): string {
  return to === null ? token : `${token}/${from}-${to}`;
}
