import { entryPayload, type DeadLetter, type DeadLetterReason } from '@millrace/contracts/dead-letter.ts';
import { BundleFormatError, decodeBundle, eachEntry, type BundleEntry } from '@millrace/contracts/event-bundle.ts';
import type { LogRecord, StreamId } from '@millrace/event-log/event-log.ts';
import type { Position } from './event-draft.ts';
import type { KeptLetter } from './outputs.ts';

/** Where an entry lies: its head and then its body, in the payload of a record. No views of them are kept: there are many entries. */
export class PlacedEntry implements Position {
  readonly record: LogRecord;
  readonly index: number;
  readonly headStart: number;
  readonly bodyStart: number;
  readonly end: number;

  constructor(record: LogRecord, index: number, headStart: number, bodyStart: number, end: number) {
    this.record = record;
    this.index = index;
    this.headStart = headStart;
    this.bodyStart = bodyStart;
    this.end = end;
  }

  get offset(): bigint {
    return this.record.offset;
  }

  get entry(): BundleEntry {
    return { head: this.head, body: this.body };
  }

  get head(): Buffer {
    return this.record.payload.subarray(this.headStart, this.bodyStart);
  }

  get body(): Buffer {
    return this.record.payload.subarray(this.bodyStart, this.end);
  }
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
    entry: ({ offset, index, entry }, fault) => write(fault, offset, index, entryPayload(entry)),
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
    const before = entries.length;
    try {
      eachEntry(record.payload, (headStart, bodyStart, end) => entries.push(new PlacedEntry(record, entries.length - before, headStart, bodyStart, end)));
    } catch (error) {
      if (!(error instanceof BundleFormatError)) throw error;
      entries.length = before;
      unreadable.push(letters.record(record, { reason: 'unreadable_bundle', step: 'open-records', detail: error.message }));
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
