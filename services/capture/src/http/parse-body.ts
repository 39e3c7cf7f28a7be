import { isUtf8 } from 'node:buffer';
import { eventsPerRequestMax } from '@millrace/contracts/limits.ts';
import { hasMoreShapesInParts, hasMoreShapesThan } from '@millrace/json/count-shapes.ts';
import { inTurns, partBytes } from '../body/in-turns.ts';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import type { NameTable } from '@millrace/json/name-table.ts';
import type { PropertyName } from '../body/known-members.ts';
import type { BodyScan, EventSpan } from '../body/body-scan.ts';
import { scanBody, scanBodyInParts } from '../body/scan-body.ts';
import { RequestError } from './request-error.ts';

/** A body may be nested this deep before it is refused without parsing (contract/decisions 26). */
const bodyDepthMax = 10_000;

/** More different key lists than this would take the JSON parser seconds (see `hasMoreShapesThan`). */
const shapesMax = 250_000;

/** Content of a body, before any event is decided about. `events` and `spans` run side by side. */
export interface ParsedBody {
  bytes: Buffer;
  /** The object around a batch; null when the body is an array or one event. */
  envelope: Readonly<Record<string, unknown>> | null;
  /** Members that capture reads (`known-members.ts`); all others exist as text only. */
  events: readonly unknown[];
  spans: readonly EventSpan[];
  /** Time of sending in the body, by the client's clock. */
  sentAt: unknown;
  historical: boolean;
}

/**
 * Parses a decoded body: one event, an array of events, or an object with a `batch` (contract/capture 1.5). Of the properties of
 * its events it reads those that `properties` names; unless given, those that v0 reads.
 * @throws {RequestError} 400 when it is none of them, not JSON, not UTF-8, too deep or empty; 413 beyond 10,000 events, 4 MiB of one event,
 * 250,000 different key lists, or 250,000 values in objects and arrays that capture reads.
 */
export function parseBody(given: Buffer, properties?: NameTable<PropertyName>): ParsedBody {
  const bytes = utf8Of(given);
  const scan = withinLimits(scanBody(bytes, bodyDepthMax, eventsPerRequestMax, properties));
  return bodyOf(bytes, scan, scan.keys > shapesMax && hasMoreShapesThan(bytes, shapesMax, bodyDepthMax));
}

/**
 * As `parseBody`, for a large body: in many turns of the event loop, so that others are served in between. Rejects with
 * what `parseBody` throws.
 */
export async function parseLargeBody(given: Buffer, properties?: NameTable<PropertyName>): Promise<ParsedBody> {
  const bytes = utf8Of(given);
  const scan = withinLimits(await inTurns(scanBodyInParts(bytes, bodyDepthMax, eventsPerRequestMax, properties)));
  return bodyOf(
    bytes,
    scan,
    scan.keys > shapesMax && (await inTurns(hasMoreShapesInParts(bytes, shapesMax, bodyDepthMax, partBytes))),
  );
}

function utf8Of(given: Buffer): Buffer {
  const bytes = withoutByteOrderMark(given);
  if (!isUtf8(bytes)) throw new RequestError('notUtf8');
  return bytes;
}

function withinLimits(scan: BodyScan): BodyScan {
  if (scan.deepest > bodyDepthMax) throw new RequestError('tooDeep');
  if (scan.overfull) throw new RequestError('tooManyEvents');
  if (scan.tooLarge) throw new RequestError('eventTooLarge');
  if (scan.tooManyValues) throw new RequestError('tooManyValues');
  return scan;
}

function bodyOf(bytes: Buffer, scan: BodyScan, hasTooManyKeys: boolean): ParsedBody {
  if (hasTooManyKeys) throw new RequestError('tooManyKeys');
  if (!scan.complete) throw new RequestError('notJson');
  const body = scan.value;
  if (Array.isArray(body)) return checked({ ...plain, bytes, events: body, spans: spansOf(scan, body) });
  if (!isJsonObject(body)) throw new RequestError('notAnEvent');
  const facts = { bytes, sentAt: body['sent_at'], historical: isTrue(body['historical_migration']) };
  const { batch } = body;
  if (batch === undefined) return { ...facts, envelope: null, events: [body], spans: [scan.whole] };
  if (!Array.isArray(batch)) throw new RequestError('batchNotAnArray');
  return checked({ ...facts, envelope: body, events: batch, spans: spansOf(scan, batch) });
}

const plain = { envelope: null, sentAt: undefined, historical: false };

function checked(body: ParsedBody): ParsedBody {
  if (body.events.length === 0) throw new RequestError('emptyBatch');
  return body;
}

/**
 * The scanner and the JSON parser must have seen the same events. Were they ever to differ, no text could be trusted to
 * belong to its event, so the request fails as a bug (500) instead of storing properties under another event.
 */
function spansOf(scan: BodyScan, events: readonly unknown[]): readonly EventSpan[] {
  const { items } = scan;
  if (items?.length !== events.length) throw new Error('body scan and JSON parser disagree');
  return items;
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** `historical_migration` (contract/capture 1.5): true, or the text "true". */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
