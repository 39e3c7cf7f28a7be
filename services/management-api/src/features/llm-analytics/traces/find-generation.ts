import { randomUUID } from 'node:crypto';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { TimeWindow } from '../../../queries/definition/time-window.ts';
import type { TenantEngine } from '../../../queries/execute/tenant-engine.ts';
import type { TraceReader } from './find-trace-events.ts';
import {
  readStoredEvents,
  storedEventForm,
  type OnRead,
  type StoredEvent,
} from '../../../queries/stream/read-stored-events.ts';
import { generationByUuid, generationEventNames } from './trace-queries.ts';

/**
 * The generation, span, embedding or evaluation with this uuid (contract/llm-surveys 6.3). Null: there is none in the window, or the text is no
 * uuid (contract/decisions 53).
 * @throws {AppError} as `TenantEngine.stream` does; what `onRead` throws
 */
export async function findGeneration(
  { tenantEngine }: { tenantEngine: Pick<TenantEngine, 'stream'> },
  { uuid, window }: { uuid: string; window: TimeWindow },
  reader: TraceReader,
  onRead?: OnRead,
): Promise<StoredEvent | null> {
  if (!isUuid(uuid)) return null;
  const values = { uuid, names: generationEventNames, first: window.from, last: window.to };
  const { sql, params, fetchLimit } = generationByUuid.print({ values }, { rowsMax: 1 });
  const form = storedEventForm();
  const { events } = await tenantEngine.stream(
    { ...reader, sql, params, form, queryId: randomUUID(), rowsMax: fetchLimit, isOwnRead: true },
    (bytes) => readStoredEvents(bytes, form, { eventsMax: 1, bytesMax: Infinity }, onRead),
  );
  return events[0] ?? null;
}
