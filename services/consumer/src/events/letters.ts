import { entryPayload, type DeadLetter, type DeadLetterReason } from '@millrace/captured-event/dead-letter.ts';
import type { LogRecord, StreamId } from '@millrace/event-log/event-log.ts';
import type { EntryRange } from './entry-range.ts';

/** Something for the dead letters: what happened to it, and its payload as it lay in the log. */
export interface StoredLetter {
  letter: DeadLetter;
  payload: Buffer;
}

/** Reason why something is a dead letter, and the step that said so. */
interface LetterError {
  reason: DeadLetterReason;
  step: string;
  detail: string;
}

/** Writes dead letters of one stream. */
export interface LetterWriter {
  entry(entry: EntryRange, error: LetterError): StoredLetter;
  record(record: LogRecord, error: LetterError): StoredLetter;
}

const detailLengthMax = 1_000;

/** @param failedAt UTC with six digits. */
export function createLetterWriter({ lane, partition, writer }: StreamId, failedAt: string): LetterWriter {
  function write(
    { reason, step, detail }: LetterError,
    offset: bigint,
    index: number | null,
    payload: Buffer,
  ): StoredLetter {
    const letter: DeadLetter = {
      reason,
      step,
      detail: detail.slice(0, detailLengthMax),
      lane,
      partition,
      writer,
      offset: String(offset),
      index,
      failedAt,
    };
    return { letter, payload };
  }
  return {
    entry: ({ offset, index, entry }, error) => write(error, offset, index, entryPayload(entry)),
    record: ({ offset, payload }, error) => write(error, offset, null, payload),
  };
}
