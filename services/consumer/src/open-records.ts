import { entryPayload, type DeadLetter, type DeadLetterReason } from '@millrace/contracts/dead-letter.ts';
import { BundleFormatError, decodeBundle, type BundleEntry } from '@millrace/contracts/event-bundle.ts';
import type { LogRecord, StreamId } from '@millrace/event-log/event-log.ts';
import type { Position } from './event-draft.ts';
import type { KeptLetter } from './outputs.ts';

/** An entry and where it lies. */
export interface PlacedEntry {
  entry: BundleEntry;
  position: Position;
}

/** What went wrong with something, and in which step. */
interface Fault {
  reason: DeadLetterReason;
  step: string;
  detail: string;
}

/** Writes dead letters of one stream. */
export interface LetterWriter {
  entry(placed: PlacedEntry, fault: Fault): KeptLetter;
  record(record: LogRecord, fault: Fault): KeptLetter;
}

const detailLengthMax = 1_000;

/** @param failedAt UTC with six digits. */
export function createLetterWriter({ lane, partition, writer }: StreamId, failedAt: string): LetterWriter {
  function write({ reason, step, detail }: Fault, offset: bigint, index: number | null, payload: Buffer): KeptLetter {
    const letter: DeadLetter = {
      reason, step, detail: detail.slice(0, detailLengthMax), lane, partition, writer, offset: String(offset), index, failedAt,
    };
    return { letter, payload };
  }
  return {
    entry: ({ entry, position }, fault) => write(fault, position.offset, position.index, entryPayload(entry)),
    record: ({ offset, payload }, fault) => write(fault, offset, null, payload),
  };
}

/** Splits records into their entries, in order; a record that is no bundle becomes a dead letter as a whole. */
export function openRecords(
  records: readonly LogRecord[],
  letters: LetterWriter,
): { entries: PlacedEntry[]; unreadable: KeptLetter[] } {
  const entries: PlacedEntry[] = [];
  const unreadable: KeptLetter[] = [];
  for (const record of records) {
    try {
      decodeBundle(record.payload).forEach((entry, index) => entries.push({ entry, position: { offset: record.offset, index } }));
    } catch (error) {
      if (!(error instanceof BundleFormatError)) throw error;
      unreadable.push(letters.record(record, { reason: 'unreadable_bundle', step: 'open-records', detail: error.message }));
    }
  }
  return { entries, unreadable };
}
