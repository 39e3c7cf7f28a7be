import { entryPayload, type DeadLetter } from '@millrace/captured-event/dead-letter.ts';
import type { EntryDraft } from '@millrace/captured-event/event-bundle.ts';
import { isoMicroseconds } from '@millrace/runtime/clock.ts';
import type { Placement } from '../limits/place-event.ts';

/** The entry as a dead letter that can be replayed into its own lane. */
export function redirectedEntry(
  { head, bytes, start, end }: EntryDraft,
  uuid: string,
  { home }: Placement,
  partition: number,
  nowMs: number,
): EntryDraft {
  const detail = 'a restriction redirects this event';
  const position = { lane: home, partition, writer: 'capture', offset: uuid, index: 0 };
  const letter: DeadLetter = {
    reason: 'operator_redirect',
    step: 'capture',
    detail,
    ...position,
    failedAt: isoMicroseconds(nowMs),
  };
  const payload = entryPayload({ head: Buffer.from(head), body: bytes.subarray(start, end) });
  return { head: JSON.stringify(letter), bytes: payload, start: 0, end: payload.length };
}
