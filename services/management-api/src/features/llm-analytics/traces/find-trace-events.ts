import { randomUUID } from 'node:crypto';
import type { TimeWindow } from '../../../queries/definition/time-window.ts';
import type { TenantEngine } from '../../../queries/execute/tenant-engine.ts';
import { queryRows } from '../../../queries/execute/query-rows.ts';
import {
  readStoredEvents,
  storedEventForm,
  type OnRead,
  type ReadBounds,
  type ReadEvents,
  type StoredEvent,
} from '../../../queries/stream/read-stored-events.ts';
import type { StoredTrace } from './stored-event.ts';
import { eventsOfTrace, measureTrace, traceEventNames } from './trace-queries.ts';
import { widened } from './trace-window.ts';

/** The caller of a query, and the project whose events it reads. */
export type TraceReader = Omit<Parameters<typeof queryRows>[2], 'isOfTable' | 'form' | 'wait'>;

/** A trace and the time in which it is looked for. */
export interface WantedTrace {
  traceId: string;
  window: TimeWindow;
}

/** Bounds of contract/decisions 58. */
const usualBounds: ReadBounds = { eventsMax: 10_000, bytesMax: 67_108_864 };

/** More than the bounds: events that are stored between the two reads of a large trace, which usually takes less than a second. */
const slack: ReadBounds = { eventsMax: 1_000, bytesMax: 8_388_608 };

interface Reading {
  bounds?: ReadBounds;
  onRead?: OnRead | undefined;
}

type Parts = { tenantEngine: Pick<TenantEngine, 'run' | 'stream'> };

/** A row of `measureTrace`. */
type MeasuredRow = [omitted: number, inside: number, oldest: string, oldestId: string];

/**
 * The events of a trace (contract/llm-surveys 6.3), ten minutes before and behind the window included: the newest of them that the bounds let in.
 * Null: there is no trace of which an event lies in the window.
 * @throws {AppError} as `TenantEngine.stream` and `TenantEngine.run` do; what `onRead` throws
 */
export async function findTraceEvents(
  { tenantEngine }: Parts,
  { traceId, window }: WantedTrace,
  reader: TraceReader,
  { bounds = usualBounds, onRead }: Reading = {},
): Promise<StoredTrace | null> {
  const { from, to } = widened(window);
  const values = { names: traceEventNames, trace: traceId, first: from, last: to };
  const read = (oldest: { first: string; firstId: string }, readBounds: ReadBounds): Promise<ReadEvents> =>
    readTrace(tenantEngine, { ...values, ...oldest }, reader, { bounds: readBounds, onRead });
  // Nearly every trace fits, and then this one query is all.
  const whole = wholeOf(await read({ first: from, firstId: '' }, bounds));
  if (whole !== null) return whole.some(isIn(window)) ? { events: whole.sort(byTime), eventsOmitted: 0 } : null;
  const measured = measureTrace.print(
    { values: { ...values, windowFirst: window.from, windowLast: window.to, ...bounds } },
    { rowsMax: 1 },
  );
  const [[omitted, inside, oldest, oldestId] = noEvents] = await queryRows<MeasuredRow>(tenantEngine, measured, reader);
  if (inside === 0) return null;
  // Rows come in no order. With those that were stored in between they may be too many, and the oldest are left out here.
  const { events } = await read(
    { first: oldest.replace('T', ' ').replace('Z', ''), firstId: oldestId },
    { eventsMax: bounds.eventsMax + slack.eventsMax, bytesMax: bounds.bytesMax + slack.bytesMax },
  );
  const newest = newestOf(events.sort(byTime), bounds);
  return { events: newest, eventsOmitted: omitted + events.length - newest.length };
}

/** The newest of events in the order of time, as far as the bounds let them in; the last one at any size. */
function newestOf(events: StoredEvent[], { eventsMax, bytesMax }: ReadBounds): StoredEvent[] {
  let first = events.length;
  for (let bytes = 0; first > 0 && events.length - first < eventsMax; first -= 1) {
    bytes += events[first - 1]?.properties.length ?? 0;
    if (bytes > bytesMax && first < events.length) break;
  }
  return first === 0 ? events : events.slice(first);
}

const noEvents: MeasuredRow = [0, 0, '', ''];

/** Null: not all, and what was read is let go before more is read. */
function wholeOf({ events, isWhole }: ReadEvents): StoredEvent[] | null {
  return isWhole ? events : null;
}

async function readTrace(
  engine: Parts['tenantEngine'],
  values: { names: string[]; trace: string; first: string; last: string; firstId: string },
  reader: TraceReader,
  { bounds, onRead }: Reading & { bounds: ReadBounds },
): Promise<ReadEvents> {
  const { sql, params, fetchLimit } = eventsOfTrace.print({ values }, { rowsMax: bounds.eventsMax });
  const form = storedEventForm();
  return await engine.stream(
    { ...reader, sql, params, form, queryId: randomUUID(), rowsMax: fetchLimit, isOwnRead: true },
    (bytes) => readStoredEvents(bytes, form, bounds, onRead),
  );
}

function isIn({ from, to }: TimeWindow): (event: StoredEvent) => boolean {
  const [first, last] = [from, to].map((moment) => `${moment.replace(' ', 'T')}Z`) as [string, string];
  return ({ timestamp }) => timestamp >= first && timestamp <= last;
}

function byTime(one: StoredEvent, other: StoredEvent): number {
  if (one.timestamp !== other.timestamp) return one.timestamp < other.timestamp ? -1 : 1;
  return one.uuid < other.uuid ? -1 : 1;
}
