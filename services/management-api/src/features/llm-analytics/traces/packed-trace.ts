import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredTrace } from './stored-event.ts';

/** Characters that are encoded in one turn of the event loop, or one event: some 1 ms a MiB. */
const turnLengthMax = 524_288;

/** An event's uuid, name, timestamp and the bytes of its text. */
type PackedEvent = [uuid: string, event: string, timestamp: string, size: number];

interface Head {
  readonly eventsOmitted: number;
  readonly events: readonly PackedEvent[];
}

/** A trace as one piece of bytes, which can be handed to a thread: a line of JSON, then the texts. A large one takes many turns of the event loop. */
export async function packTrace({ events, eventsOmitted }: StoredTrace): Promise<Uint8Array<ArrayBuffer>> {
  const turn = turns();
  const packed: PackedEvent[] = [];
  let size = 0;
  for (const { uuid, event, timestamp, propertiesText } of events) {
    const textSize = Buffer.byteLength(propertiesText);
    packed.push([uuid, event, timestamp, textSize]);
    size += textSize;
    await turn(propertiesText);
  }
  const head = `${JSON.stringify({ eventsOmitted, events: packed } satisfies Head)}\n`;
  const bytes = new Uint8Array(Buffer.byteLength(head) + size);
  // Its `write` takes a third of the time of `encodeInto`.
  const target = Buffer.from(bytes.buffer);
  let at = target.write(head);
  for (const { propertiesText } of events) {
    at += target.write(propertiesText, at);
    await turn(propertiesText);
  }
  return bytes;
}

/** The trace that `packTrace` has packed. Pure. */
export function unpackTrace(bytes: Uint8Array<ArrayBuffer>): StoredTrace {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = packed.indexOf('\n') + 1;
  const { eventsOmitted, events } = JSON.parse(packed.toString('utf8', 0, at)) as Head;
  return {
    eventsOmitted,
    events: events.map(([uuid, event, timestamp, size]) => {
      const propertiesText = packed.toString('utf8', at, at + size);
      at += size;
      return { uuid, event, timestamp, propertiesText };
    }),
  };
}

/** Waits for the next turn of the event loop when enough texts were passed in this one. */
function turns(): (text: string) => Promise<void> {
  let length = 0;
  return async (text) => {
    length += text.length;
    if (length < turnLengthMax) return;
    length = 0;
    await nextTurn();
  };
}
