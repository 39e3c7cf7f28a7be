import { MarkFinder } from '@millrace/clickhouse/query/mark-finder.ts';
import { HeldRow } from './held-row.ts';
import { BrokenResultError, headOf, type EngineResult, type Read } from '../result/result-bytes.ts';
import type { StreamForm } from './stream-format.ts';

/** Where rows go. */
export interface RowSink {
  /** Told once, before all rows; the columns, if the form says them. */
  begin(columns: EngineResult['columns'] | undefined): Promise<void>;
  write(rows: Buffer): Promise<void>;
}

/** What an answer had, when its last row is through. */
export interface StreamedRows {
  /** Rows that were let through. */
  rows: number;
  /** There was one more than the most. */
  hasMore: boolean;
  read: Read;
}

/** Bytes of a row that is held until another comes. */
const rowBytesMax = 64_000_000;

/**
 * Passes an answer's rows on, bytes as they are, never more than `rowsMax` of them where the form tells rows apart.
 * @throws {BrokenResultError} when the answer is not whole; {AnswerTooLargeError} for a row of more than 64 MB, if rows are told apart;
 * what the sink and the bytes throw
 */
export async function streamRows(
  bytes: AsyncIterable<Buffer>,
  { startMark, endMark, rowMark }: StreamForm,
  rowsMax: number | undefined,
  sink: RowSink,
): Promise<StreamedRows> {
  const head = startMark === undefined ? undefined : new MarkFinder(startMark);
  const rows = new MarkFinder(endMark);
  const held = rowMark === undefined || rowsMax === undefined ? undefined : new HeldRow(rowMark, rowBytesMax);
  let headText = '';
  let isBegun = false;
  if (head === undefined) await sink.begin(undefined);
  for await (const chunk of bytes) {
    let part = chunk;
    if (head !== undefined && !isBegun) {
      headText += head.push(chunk).toString('latin1');
      if (head.behind === undefined) continue;
      isBegun = true;
      await sink.begin(headOf(Buffer.from(headText, 'latin1').toString()));
      part = head.behind;
    }
    const found = rows.push(part);
    for (const piece of held?.push(found) ?? [found]) if (piece.length > 0) await sink.write(piece);
  }
  const end = endOf(rows.behind);
  const hasMore = held !== undefined && rowsMax !== undefined && end.rows > rowsMax;
  if (!hasMore) for (const piece of held?.last() ?? []) await sink.write(piece);
  return { rows: hasMore ? end.rows - 1 : end.rows, hasMore, read: end.read };
}

function endOf(behind: Buffer | undefined): Omit<StreamedRows, 'hasMore'> {
  if (behind === undefined) throw new BrokenResultError('the engine sent no complete result');
  try {
    const { rows, statistics, exception } = JSON.parse(`{"rows":${behind.toString()}`) as {
      rows: number;
      statistics: { elapsed: number; rows_read: number; bytes_read: number };
      exception?: string;
    };
    if (exception !== undefined) throw new Error('the answer ends with an exception');
    return { rows, read: { rows: statistics.rows_read, bytes: statistics.bytes_read, seconds: statistics.elapsed } };
  } catch (cause) {
    throw new BrokenResultError('the engine sent no complete result', { cause });
  }
}
