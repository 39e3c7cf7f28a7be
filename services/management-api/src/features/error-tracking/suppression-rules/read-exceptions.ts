import { randomUUID } from 'node:crypto';
import { queryRows } from '../../../queries/execute/query-rows.ts';
import type { TenantEngine } from '../../../queries/execute/tenant-engine.ts';
import {
  readStoredEvents,
  storedEventForm,
  type ReadBounds,
  type StoredEvent,
} from '../../../queries/stream/read-stored-events.ts';
import type { Reader } from '../reader-of.ts';
import { countExceptions, findOldest, newestExceptions } from './exception-queries.ts';

interface Exceptions {
  /** The newest first, as many as the bounds let in. */
  events: StoredEvent[];
  /** All that there are. */
  count: number;
}

const usualBounds: ReadBounds = { eventsMax: 5_000, bytesMax: 33_554_432 };

/** The exceptions of a project since a moment. @throws {AppError} as `TenantEngine.stream` and `TenantEngine.run` do */
export async function readExceptions(
  engine: Pick<TenantEngine, 'run' | 'stream'>,
  sinceMs: number,
  reader: Reader,
  bounds = usualBounds,
): Promise<Exceptions> {
  const since = { first: new Date(sinceMs).toISOString().replace('T', ' ').replace('Z', '') };
  const counted = countExceptions.print({ values: since }, { rowsMax: 1 });
  const [[count] = [0]] = await queryRows<[number | string]>(engine, counted, reader);
  if (Number(count) === 0) return { events: [], count: 0 };
  const cut = findOldest.print({ values: { ...since, rowsMax: bounds.eventsMax } }, { rowsMax: 1 });
  const [[oldest] = ['']] = await queryRows<[string]>(engine, cut, reader);
  const values = { first: oldest.replace('T', ' ').replace('Z', '') };
  const { sql, params, fetchLimit } = newestExceptions.print({ values }, { rowsMax: bounds.eventsMax });
  const form = storedEventForm();
  const { events } = await engine.stream(
    { ...reader, sql, params, form, queryId: randomUUID(), rowsMax: fetchLimit },
    (bytes) => readStoredEvents(bytes, form, bounds),
  );
  return { events, count: Math.max(Number(count), events.length) };
}
