import type { StoredEvent } from '../../../../queries/stream/read-stored-events.ts';
import type { StoredTrace } from '../stored-event.ts';

/** An event of a test: its name, the second of its timestamp, its properties as an object or as JSON text. */
export type TestEvent = readonly [
  event: string,
  second: number,
  properties: Readonly<Record<string, unknown>> | string,
];

/** Stored events with the ids `e0`, `e1`, … in the order of time. */
export function storedTrace(events: readonly TestEvent[], eventsOmitted = 0): StoredTrace {
  const stored = events.map((event, index): StoredEvent => storedEvent(`e${index}`, event));
  return {
    events: stored.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0)),
    eventsOmitted,
  };
}

export function storedEvent(uuid: string, [event, second, properties]: TestEvent): StoredEvent {
  const timestamp = new Date(Date.UTC(2026, 0, 31) + second * 1000).toISOString().replace('Z', '000Z');
  return {
    uuid,
    event,
    timestamp,
    properties: Buffer.from(typeof properties === 'string' ? properties : JSON.stringify(properties)),
  };
}
