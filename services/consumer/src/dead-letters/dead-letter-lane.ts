import { deadLetterEntry } from '@millrace/captured-event/dead-letter.ts';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import type { EventLog } from '@millrace/event-log/event-log.ts';
import type { StoredLetter } from '../events/letters.ts';

/**
 * Appends dead letters to their lane, each as a record of its own (a payload may be as large as a bundle gets), in the
 * partition that it came from. A crash before the commit can leave a letter twice: its position says that it is the same.
 */
export async function appendDeadLetters(log: EventLog, letters: readonly StoredLetter[]): Promise<void> {
  await log.append(
    'dead-letter',
    letters.map(({ letter, payload }) => ({
      partition: letter.partition % log.partitions,
      payload: encodeBundle([deadLetterEntry(letter, payload)]),
    })),
  );
}
