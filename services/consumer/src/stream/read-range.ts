import type { AssignedStream, LogRecord } from '@millrace/event-log/event-log.ts';
import type { PendingRange } from './pending-range.ts';
import { StreamStoppedError, type Retry } from './retry.ts';

const readBytesMax = 4_000_000;

/**
 * The records of a range, all of them and no others.
 * @throws {StreamStoppedError} when `signal` aborts before they are read.
 */
export async function readRange(
  stream: AssignedStream,
  range: PendingRange,
  retry: Retry,
  signal: AbortSignal,
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (let next = range.first; next <= range.last;) {
    if (signal.aborted) throw new StreamStoppedError('the stream was given up');
    const found = await retry('event-log', () => stream.read(next, { maxBytes: readBytesMax, waitMs: 1_000 }));
    for (const record of found) if (record.offset <= range.last) records.push(record);
    next = (found.at(-1)?.offset ?? next - 1n) + 1n;
  }
  return records;
}
