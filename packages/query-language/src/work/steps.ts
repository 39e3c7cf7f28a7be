/** Work of a query's steps, by how many rows they have. Rows are counted by powers of 2, so that there are few entries. */
export class Steps {
  /** Nanoseconds for each row: by the rows that a row of a block becomes, then by the most that there are. */
  readonly #nanoseconds = new Map<number, Map<number, number>>();

  /** Adds a step that has `most` rows at most, `fan` of which come of each row of a block. */
  add(most: number, fan: number, nanoseconds: number): void {
    const [fans, rows] = [powerOf2(fan), powerOf2(most)];
    const byRows = this.#nanoseconds.get(fans) ?? new Map<number, number>();
    this.#nanoseconds.set(fans, byRows);
    byRows.set(rows, (byRows.get(rows) ?? 0) + nanoseconds);
  }

  /** Nanoseconds of a block that is read with so many rows. */
  of(rows: number): number {
    return [...this.#nanoseconds].reduce(
      (total, [fan, byRows]) =>
        total + [...byRows].reduce((sum, [most, nanoseconds]) => sum + Math.min(most, rows * fan) * nanoseconds, 0),
      0,
    );
  }
}

function powerOf2(rows: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, Math.min(rows, 2 ** 30))));
}
