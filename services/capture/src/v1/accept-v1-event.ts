import type { CaptureWarningType } from '@millrace/contracts/capture-reasons.ts';
import { isIllegalDistinctId } from '@millrace/contracts/illegal-distinct-ids.ts';
import { eventNameLengthMax } from '@millrace/contracts/limits.ts';
import { acceptEvent } from '../events/accept-event.ts';
import { distinctId } from '../events/distinct-id.ts';
import { parseInstant } from '../events/parse-instant.ts';
import { bounded, isLongerThan } from '../events/safe-text.ts';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import type { ChangedName } from '../body/known-members.ts';
import { eventReadBytesMax } from '../body/body-scanner.ts';
import type { Sdk } from '../append/request-warnings.ts';
import type { Outcome, RawEvent, RequestFacts } from '../events/event.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Options of an event: the property that each becomes, and its type. */
const options: Readonly<Record<string, { property: ChangedName; type: 'boolean' | 'string' }>> = {
  cookieless_mode: { property: '$cookieless_mode', type: 'boolean' },
  disable_skew_correction: { property: '$ignore_sent_at', type: 'boolean' },
  product_tour_id: { property: '$product_tour_id', type: 'string' },
  process_person_profile: { property: '$process_person_profile', type: 'boolean' },
};

/**
 * The rule for one event of the V1 protocol (contract/capture 1.10, 2.8): what v0 would cut or replace is dropped, its
 * own fields become properties, and an illegal id switches the person off. Then the rule of v0 decides.
 */
export function createAcceptV1Event(sdk: Sdk | null): (raw: RawEvent, request: RequestFacts) => Outcome {
  return (raw, request) => {
    const event = raw.value;
    // Only the beginning of a larger event was read: a missing field may come later.
    if (!isJsonObject(event) || raw.span.end - raw.span.start > eventReadBytesMax) return acceptEvent(raw, request);
    const error = errorOf(event, raw);
    if (error !== null) return dropped(error, event);
    const properties = event['properties'] ?? {};
    const outcome = isJsonObject(properties)
      ? acceptEvent(withProperties(raw, event, properties, sdk), request)
      : acceptEvent(raw, request);
    if (!outcome.accepted || !isIllegalDistinctId(outcome.distinctId)) return outcome;
    return { ...outcome, personless: true };
  };
}

function errorOf(event: Fields, raw: RawEvent): CaptureWarningType | null {
  const { event: name, options: given } = event;
  if (typeof name === 'string' && isLongerThan(name, eventNameLengthMax)) return 'event_name_too_long';
  const id = distinctId(event, raw);
  if (id !== null && id.lengthBeforeCut !== null) return 'distinct_id_too_large';
  if (parseInstant(event['timestamp']) === null && typeof name === 'string' && id !== null)
    return 'invalid_event_timestamp';
  return given === undefined || given === null || areOptions(given) ? null : 'invalid_options';
}

function areOptions(given: unknown): given is Fields {
  if (!isJsonObject(given)) return false;
  return Object.entries(options).every(
    ([name, { type }]) => given[name] === undefined || given[name] === null || typeof given[name] === type,
  );
}

function dropped(reason: CaptureWarningType, event: Fields): Outcome {
  const { uuid, event: name, distinct_id: id } = event;
  const details = {
    ...(typeof uuid === 'string' && { eventUuid: bounded(uuid) }),
    ...(typeof name === 'string' && { event: bounded(name) }),
    ...(typeof id === 'string' && { distinctId: bounded(id) }),
  };
  return { accepted: false, reason, warnings: [{ type: reason, details }] };
}

/** The event as v0 knows it: what V1 keeps beside the properties goes into them, into the parsed ones and later into their text. */
function withProperties(raw: RawEvent, event: Fields, properties: Fields, sdk: Sdk | null): RawEvent {
  const added = addedProperties(event, properties, sdk);
  if (added.length === 0) return raw;
  const value = { ...event, properties: { ...properties, ...Object.fromEntries(added) } };
  const span = isJsonObject(event['properties']) ? raw.span : { ...raw.span, properties: null };
  return { ...raw, value, span, added: new Map(added.map(([name, one]) => [name, JSON.stringify(one)])) };
}

/** Names and values; the library's only where the event does not name one itself. */
function addedProperties(event: Fields, properties: Fields, sdk: Sdk | null): [ChangedName, unknown][] {
  const { session_id: session, window_id: window, options: given } = event;
  const added: [ChangedName, unknown][] = [];
  if (typeof session === 'string' && session !== '') added.push(['$session_id', session]);
  if (typeof window === 'string' && window !== '') added.push(['$window_id', window]);
  if (areOptions(given)) {
    for (const [name, { property }] of Object.entries(options)) {
      if (given[name] !== undefined && given[name] !== null) added.push([property, given[name]]);
    }
  }
  if (sdk !== null && properties['$lib'] === undefined) added.push(['$lib', sdk.lib]);
  if (sdk !== null && properties['$lib_version'] === undefined) added.push(['$lib_version', sdk.libVersion]);
  return added;
}
