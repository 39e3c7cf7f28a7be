import { parseMicroseconds, usualTimeLength } from '@millrace/runtime/date-time.ts';
import { distinctIdLengthStored } from '@millrace/contracts/limits.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { isJsonObject, type JsonObject } from '@millrace/json/exact-json.ts';

// Capture guarantees these rules of a head (`CapturedEvent`). A head that breaks one would stop the insert of its
// neighbours.

/** The error of a head, or null. `undefined` as input means a text that is not JSON. */
export function headError(head: unknown): string | null {
  if (!isJsonObject(head)) return 'the head is not a JSON object';
  if (!isText(head['uuid']) || !isUuid(head['uuid'])) return 'uuid is not a UUID';
  if (!isText(head['event']) || !isText(head['distinctId'])) return 'event or distinctId is missing';
  if (isTooLongId(head['distinctId'])) return `distinctId is longer than ${distinctIdLengthStored} characters`;
  if (!isTimestamp(head['timestamp'])) return 'the timestamp is not of the agreed form';
  return sharedHeadError(head);
}

/** The error of the members that are the same for all events of a request, or null. */
export function sharedHeadError({ token, receivedAt, projectId }: JsonObject): string | null {
  if (!isText(token)) return 'token is missing';
  if (!isTimestamp(receivedAt)) return 'receivedAt is not of the agreed form';
  return isProjectId(projectId) ? null : 'projectId is neither null nor a number of a project';
}

/** True for a number that a project can have, and for null: capture could not look it up. */
export function isProjectId(value: unknown): boolean {
  return value === null || (Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31);
}

/** True for the form that capture writes: six digits of a second, T and Z. */
export function isTimestamp(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length === usualTimeLength &&
    value[10] === 'T' &&
    parseMicroseconds(value) !== null
  );
}

/** True for a distinct id that Postgres could not index: it would stop the batch of everybody. */
export function isTooLongId(id: string): boolean {
  return id.length > distinctIdLengthStored && Array.from(id).length > distinctIdLengthStored;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0;
}
