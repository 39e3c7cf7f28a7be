import type { RowWriter } from './row-writer.ts';

/** A row that writes itself: all columns of its table, in the order in which the table names them. */
export interface WritingRow {
  /** The time by whose month its table is partitioned. */
  readonly timestamp: string;
  writeTo(writer: RowWriter): void;
}

/**
 * Rows in their order, as an array, or as a function that makes each row when it is read. A row may be read more than
 * once.
 */
export interface RowList<Row> {
  readonly length: number;
  at(index: number): Row | undefined;
}
