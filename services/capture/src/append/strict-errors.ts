import type { ServerResponse } from 'node:http';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import type { PreparedEvents } from './store-events.ts';
import { errorSentence } from './error-sentence.ts';
import { unreadFields } from './unread-fields.ts';
import { sendJson } from '../http/replies.ts';
import type { DropReason } from '../events/event.ts';

/** The error of strict mode about one event that was not stored as it was sent (contract/capture 2.8). */
export interface StrictError {
  /** Index in the body, from 0. */
  index: number;
  /** The client's own, or the one that the event was stored with; null when it has none. */
  uuid: string | null;
  code: DropReason;
  detail: string;
}

/** The errors of a request in the order of its events; null when there are none. */
export function strictErrors({ body, batch }: Pick<PreparedEvents, 'body' | 'batch'>): StrictError[] | null {
  const errors: StrictError[] = [];
  const add = (index: number, code: DropReason, details: Readonly<Record<string, unknown>>): void => {
    const detail = errorSentence(code, details['written']);
    if (detail !== undefined) push(index, code, detail, details['eventUuid']);
  };
  const push = (index: number, code: DropReason, detail: string, storedUuid?: unknown): void => {
    const event = body?.events[index];
    const uuid = storedUuid ?? (isJsonObject(event) ? event['uuid'] : null);
    errors.push({ index, uuid: typeof uuid === 'string' && uuid !== '' ? uuid : null, code, detail });
  };
  const gone = new Set(batch.dropped.map(({ index }) => index));
  for (const { index, reason, written } of batch.dropped) add(index, reason, { written });
  for (const { index, type, details } of batch.warnings) if (!gone.has(index)) add(index, type, details);
  const unread = body === null ? [] : unreadFields(body, (index) => !gone.has(index));
  for (const { index, code, detail } of unread) push(index, code, detail);
  return errors.length === 0 ? null : errors.sort((a, b) => a.index - b.index);
}

/** Replies 400 with the errors; the events without one are stored all the same, and counted (contract/decisions 28). */
export function sendStrictErrors(response: ServerResponse, errors: readonly StrictError[], ingested: number): number {
  const detail = 'Some events were not stored as they were sent; see errors.';
  const common = { type: 'validation_error', code: 'invalid_events', detail, attr: null, error: detail };
  return sendJson(response, 400, { status: 'error', ...common, errors, ingested });
}
