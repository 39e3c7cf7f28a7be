import { BundleFormatError, decodeBundle, eachEntry, type BundleEntry } from '@millrace/captured-event/event-bundle.ts';
import type { LogRecord } from '@millrace/event-log/event-log.ts';
import type { StoredLetter, LetterWriter } from './letters.ts';
import { EntryRange } from './entry-range.ts';

/** Splits records into their entries, in order; a record that is no bundle becomes a dead letter as a whole. */
export function openRecords(
  records: readonly LogRecord[],
  letters: LetterWriter,
): { entries: EntryRange[]; unreadable: StoredLetter[] } {
  const entries: EntryRange[] = [];
  const unreadable: StoredLetter[] = [];
  for (const record of records) {
    const before = entries.length;
    try {
      eachEntry(record.payload, (headStart, bodyStart, end) =>
        entries.push(new EntryRange(record, entries.length - before, headStart, bodyStart, end)),
      );
    } catch (error) {
      if (!(error instanceof BundleFormatError)) throw error;
      entries.length = before;
      unreadable.push(
        letters.record(record, { reason: 'unreadable_bundle', step: 'open-records', detail: error.message }),
      );
    }
  }
  return { entries, unreadable };
}

/** The entries of a payload; null when it is no bundle. Pure. */
export function entriesIn(payload: Buffer): BundleEntry[] | null {
  try {
    return decodeBundle(payload);
  } catch (error) {
    if (error instanceof BundleFormatError) return null;
    throw error;
  }
}
