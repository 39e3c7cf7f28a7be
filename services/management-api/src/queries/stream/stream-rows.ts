import { MarkFinder } from '@millrace/clickhouse/query/mark-finder.ts';
import type { Read } from '../result/result-bytes.ts';
import { readEnd, type TemplateForm } from '../result/template-form.ts';

/** Figures of a stream that has ended. */
export interface StreamedRows {
  /** Rows sent. */
  rows: number;
  read: Read;
}

/**
 * Passes the rows of a response to `write`, bytes unchanged.
 * @throws {BrokenResultError} when the response is not complete; what `write` and the bytes throw
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
