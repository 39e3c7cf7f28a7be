import { AppError } from '@millrace/http/errors/errors.ts';
import { buildEvent, buildTrace } from '../traces/build-trace.ts';
import type { StoredTrace } from '../traces/stored-event.ts';
import type { SummarySource } from './source.ts';
import type { SummaryKey } from './store/summary-store.ts';
import { prepareSummary, type PreparedSummary } from './summarize.ts';

/** Names a summary of stored events. */
export type StoredKey = Pick<SummaryKey, 'type' | 'id' | 'mode'>;

/** As `prepareSummary`, of a stored trace, or of the one event that it has. Pure. @throws {AppError} 413 */
export function prepareStored(key: StoredKey, stored: StoredTrace, textLengthMax: number): PreparedSummary {
  return prepareSummary(sourceOf(key, stored), key.mode, textLengthMax);
}

function sourceOf({ type, id }: StoredKey, stored: StoredTrace): SummarySource {
  if (type === 'trace') return { type, id, ...buildTrace(id, stored) };
  const event = stored.events[0] && buildEvent(stored.events[0]);
  if (event === undefined)
    throw new AppError('request_too_large', { detail: 'The event has too many values to be summarized.' });
  return { type, id, event: { ...event } };
}
