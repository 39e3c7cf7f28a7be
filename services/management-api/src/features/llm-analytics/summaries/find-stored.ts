import type { TimeWindow } from '../../../queries/definition/time-window.ts';
import type { Context } from '../context.ts';
import { findGeneration } from '../traces/find-generation.ts';
import { findTraceEvents, type TraceReader } from '../traces/find-trace-events.ts';
import { notInWindow } from '../traces/not-in-window.ts';
import type { OnRead } from '../../../queries/stream/read-stored-events.ts';
import type { StoredTrace } from '../traces/stored-event.ts';
import type { SummaryKey } from './store/summary-store.ts';

/**
 * The stored events of a trace, or the one event, with an id (contract/llm-surveys 6.3).
 * @throws {AppError} not_found; and as `findTraceEvents` does; what `onRead` throws
 */
export async function findStored(
  context: Pick<Context, 'tenantEngine'>,
  { type, id }: Pick<SummaryKey, 'type' | 'id'>,
  window: TimeWindow,
  reader: TraceReader,
  onRead?: OnRead,
): Promise<StoredTrace> {
  if (type === 'trace') {
    const trace = await findTraceEvents(context, { traceId: id, window }, reader, { onRead });
    if (trace !== null) return trace;
    throw notInWindow('Trace', id);
  }
  const event = await findGeneration(context, { uuid: id, window }, reader, onRead);
  if (event !== null) return { events: [event], eventsOmitted: 0 };
  throw notInWindow('Event', id);
}
