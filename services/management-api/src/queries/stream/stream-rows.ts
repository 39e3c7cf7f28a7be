import { MarkFinder } from '@millrace/clickhouse/query/mark-finder.ts';
import type { Read } from '../result/result-bytes.ts';
import { readEnd, type TemplateForm } from '../result/template-form.ts';

/** What an answer had, when its last row is through. */
export interface StreamedRows {
  /** Rows that were let through. */
  rows: number;
  read: Read;
}

/**
 * Passes an answer's rows on, bytes as they are.
 * @throws {BrokenResultError} when the answer is not whole; what `write` and the bytes throw
 */
export async function streamRows(
  bytes: AsyncIterable<Buffer>,
  { endMark }: Pick<TemplateForm, 'endMark'>,
  write: (rows: Buffer) => Promise<void>,
): Promise<StreamedRows> {
  const rows = new MarkFinder(endMark);
  for await (const chunk of bytes) {
    const piece = rows.push(chunk);
    if (piece.length > 0) await write(piece);
  }
  return readEnd(rows.behind);
}
