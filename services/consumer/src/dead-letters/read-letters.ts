import { readDeadLetters, type DeadLetter } from '@millrace/captured-event/dead-letter.ts';
import { BundleFormatError } from '@millrace/captured-event/event-bundle.ts';
import type { LogRecord, StreamId } from '@millrace/event-log/event-log.ts';
import type { LogView } from '@millrace/event-log/log-view.ts';
import { entriesIn } from '../events/open-records.ts';
import { factsOf, type EntryFacts } from './letter-events.ts';
import { formatLetterId, type LetterPosition } from './letter-id.ts';

/** A dead letter as it lies in its lane. */
export interface FoundLetter {
  id: string;
  letter: DeadLetter;
  /** The payload at the letter's position. */
  payload: Buffer;
  /** Facts of each entry of the payload; none when it is no bundle. */
  entries: EntryFacts[];
}

const readBytes = 4_000_000;

/**
 * All dead letters that there are at the beginning, those of one partition in the order in which they came.
 * `onUnreadable` is called with records of the lane that are none.
 */
export async function* readLetters(view: LogView, onUnreadable: (id: string) => void): AsyncGenerator<FoundLetter> {
  for (const stream of await view.streams(['dead-letter'])) {
    for (let next = stream.begin; ;) {
      const records = await stream.read(next, readBytes);
      if (records.length === 0) break;
      for (const record of records) yield* lettersIn(record, stream.id, onUnreadable);
      next = (records.at(-1)?.offset ?? next) + 1n;
    }
  }
}

/** The dead letter at a position, or null. */
export async function readLetter(view: LogView, position: LetterPosition): Promise<FoundLetter | null> {
  const streams = await view.streams(['dead-letter']);
  const stream = streams.find(({ id }) => id.partition === position.partition && id.writer === position.writer);
  if (stream === undefined || position.offset < stream.begin || position.offset >= stream.end) return null;
  const record = (await stream.read(position.offset, 1)).find(({ offset }) => offset === position.offset);
  return record === undefined ? null : (lettersIn(record, stream.id, () => undefined)[position.index] ?? null);
}

function lettersIn(
  { offset, payload: content }: LogRecord,
  { partition, writer }: StreamId,
  onUnreadable: (id: string) => void,
): FoundLetter[] {
  try {
    return readDeadLetters(content).map(({ letter, payload }, index) => ({
      id: formatLetterId({ partition, writer, offset, index }),
      letter,
      payload,
      entries: (entriesIn(payload) ?? []).map(factsOf),
    }));
  } catch (error) {
    if (!(error instanceof BundleFormatError || error instanceof SyntaxError)) throw error;
    onUnreadable(formatLetterId({ partition, writer, offset, index: 0 }));
    return [];
  }
}
