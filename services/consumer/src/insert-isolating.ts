import { RowsRefusedError } from '@millrace/clickhouse/insert-errors.ts';
import type { RowList } from '@millrace/clickhouse/row-list.ts';

/** A row and where it comes from within its batch; places of a batch are in order. */
export interface PlacedRow<Row> {
  readonly row: Row;
  readonly place: string;
}

/** How to insert, and which rows were refused alone, with what the engine said. */
export interface Isolating<Row, Placed extends PlacedRow<Row>> {
  insert: (rows: RowList<Row>, token: string) => Promise<void>;
  /** Rows that are more than one insert should hold; halves are then inserted, a single row at any size. None unless given. */
  isTooMuch?: (rows: readonly Placed[]) => boolean;
  refused: Map<Placed, string>;
}

/** So many refused rows of one batch are no longer poison: the table is not what this build takes it for. */
export const refusedMax = 20;

/**
 * Inserts rows under a token; when the engine refuses them, halves them until the rows at fault stand alone and every
 * other row is in. A half's token names the places it reaches from and to, not a count: when the batch is done again with
 * fewer rows missing, a token still stands for the same stretch of the log (see `duplicates/drop-duplicates.ts`).
 * @throws what `insert` throws, and an error when more than `refusedMax` rows are refused; the call may be repeated.
 */
export async function insertIsolating<Row, Placed extends PlacedRow<Row>>(
  rows: readonly Placed[],
  token: string,
  how: Isolating<Row, Placed>,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  if (rows.length > 1 && how.isTooMuch?.(rows) === true) return insertHalves(rows, token, how);
  try {
    await how.insert({ length: rows.length, at: (index) => rows[index]?.row }, token);
  } catch (error) {
    if (!(error instanceof RowsRefusedError)) throw error;
    if (rows.length === 1) {
      how.refused.set(first, error.message);
      if (how.refused.size > refusedMax) throw new Error('ClickHouse refuses too many rows of one batch', { cause: error });
      return;
    }
    await insertHalves(rows, token, how);
  }
}

async function insertHalves<Row, Placed extends PlacedRow<Row>>(rows: readonly Placed[], token: string, how: Isolating<Row, Placed>): Promise<void> {
  const middle = rows.length >> 1;
  for (const half of [rows.slice(0, middle), rows.slice(middle)]) await insertIsolating(half, halfToken(token, half), how);
}

function halfToken(token: string, half: readonly { place: string }[]): string {
  return `${token.split('/', 1)[0] ?? ''}/${half[0]?.place ?? ''}~${half.at(-1)?.place ?? ''}`;
}
