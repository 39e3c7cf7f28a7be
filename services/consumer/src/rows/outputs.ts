import type { BundleEntry } from '@millrace/captured-event/event-bundle.ts';
import type { RowList } from '@millrace/clickhouse/insert/row-list.ts';
import type { TableName, TableRows } from './rows.ts';
import type { StoredLetter } from '../events/letters.ts';

/** Targets of the consumer's results. Every call resolves when they are durable there, and may be repeated. */
export interface Outputs {
  /**
   * Inserts rows as one block a month; a second insert with the same token has no effect.
   * @throws {RowsRefusedError} when the rows themselves are the reason, and nothing of them was stored.
   */
  insert<T extends TableName>(table: T, rows: RowList<TableRows[T]>, dedupeToken: string | null): Promise<void>;
  /** Appends entries to the lane `overflow`, in order, in this partition. False: the log did not take all of them. */
  moveToOverflow(partition: number, entries: readonly BundleEntry[]): Promise<boolean>;
  /** Appends to the lane `dead-letter`. */
  keepDeadLetters(letters: readonly StoredLetter[]): Promise<void>;
}
