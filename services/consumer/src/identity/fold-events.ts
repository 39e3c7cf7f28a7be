import { setImmediate } from 'node:timers/promises';
import type { EventDraft } from '../events/event-draft.ts';
import type { Leaving } from '../overflow/leaving-events.ts';
import { createPropertyBytes, createSharing } from '../persons/person-contents.ts';
import type { PersonOfEvent } from '../persons/person-of-event.ts';
import { BatchTooLargeError } from '../stream/batch-too-large-error.ts';

interface FoldingEvents {
  /** Folds the event; returns the person as the event's row shows them. */
  fold: (draft: EventDraft) => PersonOfEvent;
  isWritten: (draft: EventDraft) => boolean;
  /** Bytes that an event makes the consumer write beside its row. */
  extraBytes: (draft: EventDraft) => number;
  leaving: Leaving;
  /** Most bytes that the batch may write. */
  bytesMax: number;
}

interface FoldedEvents {
  /** Events that are stored here, and for each the person columns of its row. */
  staying: EventDraft[];
  ofEvents: PersonOfEvent[];
  /** Events that go to the lane `overflow`. */
  left: EventDraft[];
}

/** Bytes after which folding yields to timers and sockets: a few milliseconds of work. */
const bytesPerTurn = 2_000_000;
/** Fixed weight of an event, so that folding yields at least every 500 events. */
const bytesPerEvent = 4_000;

/**
 * Folds the events of a batch one after the other.
 * @throws {BatchTooLargeError} as soon as what would be written for them is more than `bytesMax`: 33 KB of events that
 *   each change a person of 600 KB would write 1.2 GB
 */
export async function foldEvents(drafts: readonly EventDraft[], folding: FoldingEvents): Promise<FoldedEvents> {
  const { fold, isWritten, extraBytes, leaving, bytesMax } = folding;
  const folded: FoldedEvents = { staying: [], ofEvents: [], left: [] };
  const propertyBytes = createPropertyBytes();
  const sharing = createSharing();
  let [total, sinceTurn] = [0, 0];
  for (const draft of drafts) {
    if (leaving.leaves(draft, isWritten(draft))) {
      folded.left.push(draft);
      continue;
    }
    const person = fold(draft);
    folded.staying.push(draft);
    folded.ofEvents.push(sharing(draft, person));
    const bytes = ownBytes(draft) + propertyBytes(draft, person) + extraBytes(draft);
    leaving.charge(draft, bytes);
    total += bytes;
    if (total > bytesMax) throw new BatchTooLargeError(`a batch would write more than ${bytesMax} bytes`);
    sinceTurn += bytes + bytesPerEvent;
    if (sinceTurn < bytesPerTurn) continue;
    sinceTurn = 0;
    await setImmediate();
  }
  return folded;
}

function ownBytes({ own }: EventDraft): number {
  return own === null ? 0 : own.end - own.start;
}
