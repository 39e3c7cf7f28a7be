import { packTrace } from './packed-trace.ts';
import type { OnRead } from '../../../queries/stream/read-stored-events.ts';
import type { StoredTrace } from './stored-event.ts';

/**
 * Largest stored trace that is rendered in the event loop, in bytes of properties and in events. Rendered, a list of numbers has 30 times the
 * length of its JSON, and each level of a deep trace lengthens all lines below it: at these bounds either takes some 10 ms.
 */
const hereBytesMax = 32_768;
const hereEventsMax = 100;

/** A place in the queue of the threads, and room for the trace that will be handed to one. */
interface Place {
  /** Takes room for so many bytes of a trace, all that was read before included. @throws {AppError} unavailable */
  hold(bytes: number): void;
  /** Gives place and room back, unless a thread has them. */
  free(): void;
}

interface Making<Made, ThreadPlace extends Place> {
  /** Called when a trace turns out to be large, before the rest of it is read. @throws {AppError} unavailable */
  reserve: () => ThreadPlace;
  find: (onRead: OnRead) => Promise<StoredTrace>;
  here: (stored: StoredTrace) => Made;
  inThread: (place: ThreadPlace, packed: Uint8Array) => Promise<Made>;
}

/**
 * Makes something of a stored trace: in the event loop, or of a large one in a thread. When too many wait for the threads, no more than the
 * beginning of a large one is read.
 * @throws {AppError} as all of these do
 */
export async function makeOfTrace<Made, ThreadPlace extends Place>({
  reserve,
  find,
  here,
  inThread,
}: Making<Made, ThreadPlace>): Promise<Made> {
  let place: ThreadPlace | undefined;
  const onRead: OnRead = (events, bytes) => {
    if (place === undefined && (events > hereEventsMax || bytes > hereBytesMax)) place = reserve();
    place?.hold(bytes);
  };
  try {
    const found = await findSmallOrPacked(
      () => find(onRead),
      () => place !== undefined,
    );
    if ('events' in found) return here(found);
    if (place === undefined) throw new Error('a trace was packed without a place');
    return await inThread(place, found.packed);
  } finally {
    place?.free();
  }
}

/** A function of its own, so that a large trace is not in memory twice while it waits for a thread. */
async function findSmallOrPacked(
  find: () => Promise<StoredTrace>,
  isLarge: () => boolean,
): Promise<StoredTrace | { packed: Uint8Array }> {
  const stored = await find();
  return isLarge() ? { packed: await packTrace(stored) } : stored;
}
