import { captureReason } from '@millrace/contracts/capture-reasons.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { AcceptedBatch } from '../append/accept-batch.ts';
import type { ParsedBody } from '../http/parse-body.ts';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import { RequestError } from '../http/request-error.ts';
import type { DropReason } from '../events/event.ts';

/** Result of one event (contract/capture 1.10). */
export interface V1Result {
  result: 'ok' | 'warning' | 'drop' | 'retry';
  /** Absent for `ok`. */
  details?: string;
}

/**
 * The uuids of a batch, as sent, side by side with its events.
 * @throws {RequestError} 400 when it is no batch, or a uuid is missing, wrong or there twice (contract/decisions 31).
 */
export function batchUuids(body: ParsedBody): string[] {
  if (body.envelope === null) throw new RequestError('batchNotAnArray');
  const seen = new Set<string>();
  return body.events.map((event) => {
    const uuid = isJsonObject(event) ? event['uuid'] : undefined;
    if (uuid === undefined || uuid === null || uuid === '') throw new RequestError('missingUuid');
    if (typeof uuid !== 'string' || !isUuid(uuid)) throw new RequestError('invalidUuid');
    if (seen.has(uuid.toLowerCase())) throw new RequestError('duplicateUuid');
    seen.add(uuid.toLowerCase());
    return uuid;
  });
}

/**
 * One result an event. When not all of the log was written (`stored` false), each event that should be in it is to be
 * sent again: those that are in it already are known by their uuids.
 */
export function v1Results(uuids: readonly string[], batch: AcceptedBatch, stored: boolean): Record<string, V1Result> {
  const reasons = new Map(batch.dropped.map(({ index, reason }) => [index, reason]));
  const personless = new Set(batch.personless);
  return Object.fromEntries(
    uuids.map((uuid, index): [string, V1Result] => [uuid, resultOf(reasons.get(index), personless.has(index), stored)]),
  );
}

function resultOf(reason: DropReason | undefined, isPersonless: boolean, stored: boolean): V1Result {
  if (reason !== undefined) return { result: 'drop', details: captureReason(reason).v1Code ?? reason };
  if (!stored) return { result: 'retry', details: 'not_persisted' };
  return isPersonless ? { result: 'warning', details: 'person_processing_disabled' } : { result: 'ok' };
}
