import type { RowWriter } from './row-writer.ts';

/** A row that writes itself: all columns of its table, in the order in which the table names them. */
export interface WritingRow {
  /** The time by whose month its table is partitioned. */
  readonly timestamp: string;
  writeTo(writer: RowWriter): void;
}

/** Rows in their order, an array or what makes each row when it is asked for. A row may be asked for more than once. */
export interface RowList<Row> {
  readonly length: number;
  at(index: number): Row | undefined;
}
