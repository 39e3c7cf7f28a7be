import { RowsRefusedError } from '@millrace/clickhouse/insert/insert-errors.ts';
import type { RowList } from '@millrace/clickhouse/insert/row-list.ts';
import type { Places } from './places.ts';
import type { Position } from '../stream/position.ts';

/** A row and where it comes from. */
export interface PlacedRow<Row> {
  readonly row: Row;
  readonly position: Position;
}

/** How to insert, and which rows were refused alone, with what the engine said. */
export interface Isolating<Row, Placed extends PlacedRow<Row>> {
  insert: (rows: RowList<Row>, token: string) => Promise<void>;
  places: Places;
  /** Rows that are more than one insert should hold; halves are then inserted, a single row at any size. None unless given. */
  isTooMuch?: (rows: readonly Placed[]) => boolean;
  refused: Map<Placed, string>;
}

/** So many refused rows of one batch are no longer poison: the table is not what this build takes it for. */
export const refusedMax = 20;

/**
 * Inserts rows under a token; when the engine refuses some, halves their stretch of the batch until the rows at fault stand
 * alone and every other row is in. Where a half begins and ends depends on the batch's records alone, and its token names
 * that: when the batch is done again with fewer rows missing, it comes to the same stretches under the same tokens (see
 * `duplicates/drop-duplicates.ts`).
 * @throws what `insert` throws, and an error when more than `refusedMax` rows are refused; the call may be repeated.
 */
export async function insertIsolating<Row, Placed extends PlacedRow<Row>>(
  rows: readonly Placed[],
  token: string,
  how: Isolating<Row, Placed>,
): Promise<void> {
  await insertStretch(rows, { token, from: 0, to: null }, how);
}

/** Places `from` to before `to` (null: the end) of a batch, whose token this is. */
interface Stretch {
  token: string;
  from: number;
  to: number | null;
}

async function insertStretch<Row, Placed extends PlacedRow<Row>>(
  rows: readonly Placed[],
  stretch: Stretch,
  how: Isolating<Row, Placed>,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const token = tokenOf(stretch);
  if (rows.length > 1 && (how.places.divided.has(token) || how.isTooMuch?.(rows) === true)) {
    how.places.divided.add(token);
    return insertHalves(rows, stretch, how);
  }
  try {
    await how.insert({ length: rows.length, at: (index) => rows[index]?.row }, token);
  } catch (error) {
    if (!(error instanceof RowsRefusedError)) throw error;
    // Months that were not refused are stored under this token, and must not come under another.
    if (rows.length > 1)
      return insertHalves(
        error.refused === null ? rows : error.refused.map((index) => rows[index] as Placed),
        stretch,
        how,
      );
    how.refused.set(first, error.message);
    if (how.refused.size > refusedMax)
      throw new Error('ClickHouse refuses too many rows of one batch', { cause: error });
  }
}

async function insertHalves<Row, Placed extends PlacedRow<Row>>(
  rows: readonly Placed[],
  { token, from, to }: Stretch,
  how: Isolating<Row, Placed>,
): Promise<void> {
  const end = to ?? how.places.count;
  const middle = (from + end) >> 1;
  const isBefore = ({ position }: Placed): boolean => how.places.of(position) < middle;
  await insertStretch(rows.filter(isBefore), { token, from, to: middle }, how);
  await insertStretch(
    rows.filter((row) => !isBefore(row)),
    { token, from: middle, to: end },
    how,
  );
}

function tokenOf({ token, from, to }: Stretch): string {
  return to === null ? token : `${token}/${from}-${to}`;
}
