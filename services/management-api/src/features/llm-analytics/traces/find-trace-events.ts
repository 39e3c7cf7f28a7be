import { randomUUID } from 'node:crypto';
import type { TimeWindow } from '../../../queries/definition/time-window.ts';
import type { TenantEngine } from '../../../queries/execute/tenant-engine.ts';
import { queryRows } from '../../../queries/execute/query-rows.ts';
import {
  readStoredEvents,
  storedEventForm,
  type OnRead,
  type ReadEvents,
  type TraceBounds,
} from './read-stored-events.ts';
import type { StoredEvent, StoredTrace } from './stored-event.ts';
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
const usualBounds: TraceBounds = { eventsMax: 10_000, bytesMax: 67_108_864 };

interface Reading {
  bounds?: TraceBounds;
  onRead?: OnRead | undefined;
}

type Parts = { tenantEngine: Pick<TenantEngine, 'run' | 'stream'> };

/** A row of `measureTrace`. */
type MeasuredRow = [events: number, inside: number, oldest: string, oldestId: string];

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
  const read = (oldest: { first: string; firstId: string }): Promise<ReadEvents> =>
    readTrace(tenantEngine, { ...values, ...oldest }, reader, { bounds, onRead });
  // Nearly every trace fits, and then this one query is all.
  const whole = wholeOf(await read({ first: from, firstId: '' }));
  if (whole !== null) return whole.some(isIn(window)) ? { events: whole.sort(byTime), eventsOmitted: 0 } : null;
  const measured = measureTrace.print(
    { values: { ...values, windowFirst: window.from, windowLast: window.to, ...bounds } },
    { rowsMax: 1 },
  );
  const [[all, inside, oldest, oldestId] = noEvents] = await queryRows<MeasuredRow>(tenantEngine, measured, reader);
  if (inside === 0) return null;
  // An event that has come in between may push out an older one, which then counts as left out.
  const newest = await read({ first: oldest.replace('T', ' ').replace('Z', ''), firstId: oldestId });
  return { events: newest.events.sort(byTime), eventsOmitted: Math.max(0, all - newest.events.length) };
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
  { bounds, onRead }: Reading & { bounds: TraceBounds },
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
