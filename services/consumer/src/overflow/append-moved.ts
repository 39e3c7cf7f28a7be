import {
  bundleHeaderBytes,
  encodeBundle,
  entryOverheadBytes,
  type BundleEntry,
} from '@millrace/captured-event/event-bundle.ts';
import { bundleBytesMax } from '@millrace/contracts/limits.ts';
import {
  LogUnavailableError,
  OutcomeUnknownError,
  type AppendRecord,
  type EventLog,
} from '@millrace/event-log/event-log.ts';

/** Bytes of one append: a log holds a bounded amount in memory. */
const bytesAtOnce = 8_000_000;
/** A record is not divided, and what moves is dear: 500 events in one, each of another large person, would be 2.5 GB of memory again. */
const entriesMax = 50;

/**
 * Appends entries to the lane `overflow`, byte for byte and in order, in the partition that they came from: its reader
 * has them in its duplicate memory (docs/ingestion.md, duplicates).
 * @returns false when the log did not take all of them; some may be there then
 */
export async function appendMoved(
  log: Pick<EventLog, 'append'>,
  partition: number,
  entries: readonly BundleEntry[],
): Promise<boolean> {
  try {
    for (const records of appendsOf(partition, entries)) await log.append('overflow', records);
    return true;
  } catch (error) {
    if (error instanceof LogUnavailableError || error instanceof OutcomeUnknownError) return false;
    throw error;
  }
}

function* appendsOf(partition: number, entries: readonly BundleEntry[]): Generator<AppendRecord[]> {
  let records: AppendRecord[] = [];
  let bytes = 0;
  for (const bundle of bundlesOf(entries)) {
    const payload = encodeBundle(bundle);
    if (bytes > 0 && bytes + payload.length > bytesAtOnce) {
      yield records;
      [records, bytes] = [[], 0];
    }
    records.push({ partition, payload });
    bytes += payload.length;
  }
  if (records.length > 0) yield records;
}

function* bundlesOf(entries: readonly BundleEntry[]): Generator<BundleEntry[]> {
  let bundle: BundleEntry[] = [];
  let bytes = bundleHeaderBytes;
  for (const entry of entries) {
    const size = entryOverheadBytes + entry.head.length + entry.body.length;
    if (bundle.length === entriesMax || (bundle.length > 0 && bytes + size > bundleBytesMax)) {
      yield bundle;
      [bundle, bytes] = [[], bundleHeaderBytes];
    }
    bundle.push(entry);
    bytes += size;
  }
  if (bundle.length > 0) yield bundle;
}
