import type { DeadLetter } from '@millrace/contracts/dead-letter.ts';
import type { RowList } from '@millrace/clickhouse/row-list.ts';
import type { TableName, TableRows } from './rows.ts';

/** Something for the dead letters: what happened to it, and its payload as it lay in the log. */
export interface KeptLetter {
  letter: DeadLetter;
  payload: Buffer;
}

/** Where the consumer's results go. Every call answers when they are durable there, and may be repeated. */
export interface Outputs {
  /**
   * Inserts rows as one block a month; a second insert with the same token has no effect.
   * @throws {RowsRefusedError} when the rows themselves are the reason, and nothing of them was stored.
   */
  insert<T extends TableName>(table: T, rows: RowList<TableRows[T]>, dedupeToken: string | null): Promise<void>;
  /** Appends to the lane `dead-letter`. */
  keepDeadLetters(letters: readonly KeptLetter[]): Promise<void>;
}
