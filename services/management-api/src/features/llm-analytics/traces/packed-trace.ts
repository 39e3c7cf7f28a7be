import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredTrace } from './stored-event.ts';

/** Bytes that are copied in one turn of the event loop, or those of one event: some 0.5 ms a MiB. */
const turnBytesMax = 1_048_576;

/** An event's uuid, name, timestamp and the bytes of its properties. */
type PackedEvent = [uuid: string, event: string, timestamp: string, size: number];

interface Head {
  readonly eventsOmitted: number;
  readonly events: readonly PackedEvent[];
}

/**
 * A trace as one piece of bytes, which can be handed to a thread: a line of JSON, then the properties. A large one takes many turns of the
 * event loop.
 */
export async function packTrace({ events, eventsOmitted }: StoredTrace): Promise<Uint8Array<ArrayBuffer>> {
  const packed = events.map(({ uuid, event, timestamp, properties }): PackedEvent => [
    uuid,
    event,
    timestamp,
    properties.length,
  ]);
  const head = Buffer.from(`${JSON.stringify({ eventsOmitted, events: packed } satisfies Head)}\n`);
  const bytes = new Uint8Array(events.reduce((size, { properties }) => size + properties.length, head.length));
  bytes.set(head);
  let at = head.length;
  let copied = 0;
  for (const { properties } of events) {
    bytes.set(properties, at);
    at += properties.length;
    copied += properties.length;
    if (copied < turnBytesMax) continue;
    copied = 0;
    await nextTurn();
  }
  return bytes;
}

/** The trace that `packTrace` has packed; its properties are parts of these bytes. Pure. */
export function unpackTrace(bytes: Uint8Array<ArrayBuffer>): StoredTrace {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = packed.indexOf('\n') + 1;
  const { eventsOmitted, events } = JSON.parse(packed.toString('utf8', 0, at)) as Head;
  return {
    eventsOmitted,
    events: events.map(([uuid, event, timestamp, size]) => {
      const properties = packed.subarray(at, at + size);
      at += size;
      return { uuid, event, timestamp, properties };
    }),
  };
}
