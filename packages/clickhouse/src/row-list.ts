/** Rows in their order, an array or what makes each row when it is asked for. A row may be asked for more than once. */
export interface RowList<Row> {
  readonly length: number;
  at(index: number): Row | undefined;
}
