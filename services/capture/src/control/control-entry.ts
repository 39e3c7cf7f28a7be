import { deadLetterEntry, entryPayload } from '@millrace/contracts/dead-letter.ts';
import type { BundleEntry } from '@millrace/contracts/event-bundle.ts';
import { isoMicroseconds } from '@millrace/runtime/clock.ts';
import type { Placement } from './place-event.ts';

const personless = Buffer.from(',"personless":true}');

/** The entry with `personless` in its head (see `CapturedEvent`). A head is the text of an object that is never empty. */
export function withoutPersons({ head, body }: BundleEntry): BundleEntry {
  return { head: Buffer.concat([head.subarray(0, -1), personless]), body };
}

/** The entry as a dead letter that can be replayed into the lane it was meant for. */
export function redirectedEntry(entry: BundleEntry, uuid: string, { home }: Placement, partition: number, nowMs: number): BundleEntry {
  const detail = 'a restriction redirects this event';
  const place = { lane: home, partition, writer: 'capture', offset: uuid, index: 0 };
  const letter = { reason: 'operator_redirect', step: 'capture', detail, ...place, failedAt: isoMicroseconds(nowMs) } as const;
  return deadLetterEntry(letter, entryPayload(entry));
}
