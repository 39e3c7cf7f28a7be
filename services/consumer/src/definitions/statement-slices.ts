/** Rows of one statement, so that none is long. */
const rowsMax = 1_000;

/** The rows in slices, each for one statement of the store. */
export function* statementSlices<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += rowsMax) yield rows.slice(from, from + rowsMax);
}
