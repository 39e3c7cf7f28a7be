import { encodeHead, encodeSharedHead } from '@millrace/captured-event/encode-head.ts';
import type { Span } from '@millrace/json/span.ts';
import type { CaptureWarningType } from '@millrace/contracts/capture-reasons.ts';
import { fitsInto, type EntryDraft } from '@millrace/captured-event/event-bundle.ts';
import { eventKind, type EventKind } from '@millrace/contracts/event-kinds.ts';
import { eventBytesMax, eventDepthMax } from '@millrace/contracts/limits.ts';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import { eventReadBytesMax } from '../body/body-scanner.ts';
import { withMembers } from '@millrace/json/splice.ts';
import { changedMembers, type ChangedMembers } from '../body/known-members.ts';
import { adjustProperties } from './adjust-properties.ts';
import { distinctId } from './distinct-id.ts';
import { propertiesSpan, propertiesTextOf, textAt } from './event-text.ts';
import { eventTime, isInRange, isUnixZero } from './event-time.ts';
import { divergentUuidTime, eventUuid } from './event-uuid.ts';
import { groupIdentifyWarning } from './group-limits.ts';
import { formatInstant, type Instant } from './instant.ts';
import { cleanText } from '@millrace/json/clean-json.ts';
import { bounded } from './safe-text.ts';
import { divergenceDetails, timeDetails } from './time-details.ts';
import type { EventWarning, Outcome, RawEvent, RequestFacts } from './event.ts';
import { writtenInstead } from './written-instead.ts';

const nothingToWarnOf: readonly EventWarning[] = Object.freeze([]);
const discarded: Outcome = Object.freeze({
  accepted: false,
  reason: 'dropped_performance_event',
  warnings: nothingToWarnOf,
});
const noProperties = Buffer.from('{}');
const emptyObject: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * Accepts or drops one event by the rules of contract/capture 2.8; an accepted one comes with its entry for the log, in
 * which the properties are the client's own text. Never throws, whatever the event holds.
 */
export function acceptEvent(raw: RawEvent, request: RequestFacts): Outcome {
  const { value: event, span } = raw;
  if (!isJsonObject(event)) return dropped('malformed_event', {});
  if (span.end - span.start > eventReadBytesMax) return dropped('message_size_too_large', seenOf(event));
  if (span.depth > eventDepthMax) return dropped('malformed_event', { reason: `nested deeper than ${eventDepthMax}` });
  const name = event['event'] ?? request.nameIfMissing;
  if (typeof name !== 'string' || name.trim() === '')
    return dropped('missing_event_name', { ...identifiers(event), ...writtenInstead(raw, 'event') });
  const kind = eventKind(name);
  if (kind.isDiscarded) return discarded;
  const properties = event['properties'] ?? emptyObject;
  if (!isJsonObject(properties))
    return dropped('malformed_event_properties', { event: bounded(name), ...identifiers(event) });
  const id = distinctId(event, raw);
  if (id === null) {
    const details = { event: bounded(name), ...identifiers(event), ...writtenInstead(raw, 'distinct_id') };
    return dropped('missing_distinct_id', details);
  }
  const warning = checkKind(kind, properties, raw);
  if (warning !== null)
    return dropped(warning.type, {
      ...identifiers(event),
      event: bounded(name),
      distinctId: bounded(id.id),
      ...warning.details,
    });
  return acceptedEvent(raw, event, properties, cleanText(name), id.id, id.lengthBeforeCut, request);
}

function dropped(type: CaptureWarningType, details: Record<string, unknown>): Outcome {
  return { accepted: false, reason: type, warnings: [{ type, details }] };
}

/** Details of a warning about an event that was not read to its end. */
function seenOf(event: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { event: name } = event;
  return { ...(typeof name === 'string' && { event: bounded(name) }), ...identifiers(event) };
}

/** The ids by which a warning names an event that is not stored. */
function identifiers(event: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { uuid, distinct_id: id } = event;
  return {
    ...(typeof uuid === 'string' && { eventUuid: bounded(uuid) }),
    ...(typeof id === 'string' && id !== '' && { distinctId: bounded(id) }),
  };
}

/** Kinds of events whose properties must have a certain form (contract/capture 1.9, 2.1). */
function checkKind(
  { describesGroup, merge }: EventKind,
  properties: Readonly<Record<string, unknown>>,
  raw: RawEvent,
): EventWarning | null {
  if (describesGroup) return groupIdentifyWarning(properties, raw);
  return merge === null ? null : checkId(merge.invalid, properties[merge.property]);
}

/** An id to merge must be a text or a number. */
function checkId(type: CaptureWarningType, value: unknown): EventWarning | null {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'number') return null;
  return { type, details: { receivedType: Array.isArray(value) ? 'array' : typeof value } };
}

/** Gives an accepted event its time and its uuid, adjusts its properties, and gathers the warnings about all that. */
function acceptedEvent(
  raw: RawEvent,
  event: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, unknown>>,
  name: string,
  id: string,
  lengthBeforeCut: number | null,
  request: RequestFacts,
): Outcome {
  let warnings: EventWarning[] | null = null;
  const warn = (type: CaptureWarningType, details: Record<string, unknown>): void =>
    void (warnings ??= []).push({ type, details });

  const { timestamp, offset } = event;
  const { time, warning } = eventTime({
    timestamp,
    offset,
    ignoreSentAt: properties['$ignore_sent_at'] === true,
    receivedAtMs: request.receivedAtMs,
    sentAt: request.sentAt,
  });
  const hasTimestamp = timestamp !== undefined && timestamp !== null && timestamp !== '';
  const { uuid, invalid } = eventUuid({
    uuid: event['uuid'],
    insertId: properties['$insert_id'],
    token: request.token,
    distinctId: id,
    event: name,
    timestamp: hasTimestamp ? timestamp : null,
    contentTexts: () => contentTexts(raw),
    hasUsableTime: () =>
      warning !== 'ignored_invalid_timestamp' && warning !== 'event_timestamp_out_of_range' && !isUnixZero(timestamp),
    timeMs: time.ms,
  });

  const about = { eventUuid: uuid };
  if (lengthBeforeCut !== null)
    warn('distinct_id_truncated', { ...about, distinctId: bounded(id), distinctIdLength: lengthBeforeCut });
  if (invalid)
    warn('invalid_event_uuid', { ...about, value: bounded(JSON.stringify(event['uuid'])), action: 'replaced' });
  if (warning !== null) warn(warning, { ...about, ...timeDetails(warning, name, event, time, request) });

  const uuidTimeMs = request.historical === true ? null : divergentUuidTime(uuid, time.ms);
  if (uuidTimeMs !== null)
    warn('event_uuid_timestamp_divergent', { ...about, ...divergenceDetails(name, id, time, uuidTimeMs) });

  const adjusted = adjustProperties(name, properties, raw);
  for (const { type, details } of adjusted?.warnings ?? [])
    warn(type, { ...about, event: bounded(name), distinctId: bounded(id), ...details });

  const entry = entryOf(headText(raw, uuid, name, id, time, request), raw, adjusted?.changes);
  if (!fitsInto(eventBytesMax, entry))
    return dropped('message_size_too_large', { ...about, event: bounded(name), distinctId: bounded(id) });
  return {
    accepted: true,
    entry,
    event: name,
    distinctId: id,
    uuid,
    properties,
    warnings: warnings ?? nothingToWarnOf,
  };
}

/**
 * The texts that distinguish an event from others of the same name, person and time: those of its properties and of its
 * `$set`, `$set_once` and `$unset`, if any.
 */
function contentTexts(raw: RawEvent): string[] {
  const { set, setOnce, unset } = raw.span;
  const texts = [propertiesTextOf(raw)];
  if (set !== null) texts.push('$set', textAt(raw, set));
  if (setOnce !== null) texts.push('$set_once', textAt(raw, setOnce));
  if (unset !== null) texts.push('$unset', textAt(raw, unset));
  return texts;
}

/** The entry for the log: the head, and the properties as the client wrote them except for `added` and `changes`. */
function entryOf(head: string, raw: RawEvent, changes: ChangedMembers | undefined): EntryDraft {
  const span = propertiesSpan(raw);
  const sent: EntryDraft =
    span === null
      ? { head, bytes: noProperties, start: 0, end: noProperties.length }
      : { head, bytes: raw.bytes, start: span.start, end: span.end };
  const { added } = raw;
  if (added === undefined && (changes === undefined || changes.size === 0)) return sent;
  const bytes = withMembers(
    sent.bytes.subarray(sent.start, sent.end),
    new Map([...(added ?? []), ...(changes ?? [])]),
    changedMembers,
  );
  return { head, bytes, start: 0, end: bytes.length };
}

/** The members of a head that are the same for all events of a request. A time of sending that ClickHouse cannot store is left out. */
export function requestHead({
  sentAt,
  historical,
  ...shared
}: {
  token: string;
  projectId: number | null;
  receivedAt: string;
  sentAt: Instant | null;
  ip: string | undefined;
  historical: boolean;
}): string {
  const isUsable = sentAt !== null && isInRange(sentAt);
  return encodeSharedHead({
    ...shared,
    sentAt: isUsable ? formatInstant(sentAt) : undefined,
    historical: historical || undefined,
  });
}

function headText(
  raw: RawEvent,
  uuid: string,
  event: string,
  distinctId: string,
  time: Instant,
  request: RequestFacts,
): string {
  const { set, setOnce, unset } = raw.span;
  const timestamp = formatInstant(time);
  if (set === null && setOnce === null && unset === null)
    return encodeHead({ uuid, event, distinctId, timestamp }, request.head);
  const sent = (span: Span | null): string | null => (span === null ? null : textAt(raw, span));
  return encodeHead(
    { uuid, event, distinctId, timestamp, set: sent(set), setOnce: sent(setOnce), unset: sent(unset) },
    request.head,
  );
}
