import {
  distinctIdLengthMax,
  eventBytesMax,
  eventDepthMax,
  eventNameLengthMax,
  groupKeyLengthMax,
  groupTypeLengthMax,
} from '@millrace/contracts/limits.ts';
import type { DropReason } from '../events/event.ts';

/** Those that capture finds; the consumer has others. */
const sentences: Readonly<Partial<Record<DropReason, string>>> = {
  distinct_id_truncated: `The distinct_id, or the id to merge with, was cut to ${distinctIdLengthMax} characters.`,
  missing_event_name: 'The event has no name.',
  missing_distinct_id: 'The event has no distinct_id.',
  malformed_event: `The event is not an object, or is nested deeper than ${eventDepthMax} levels.`,
  malformed_event_properties: 'The properties are not an object.',
  message_size_too_large: `The event is larger than ${eventBytesMax.toLocaleString('en')} bytes.`,
  invalid_event_uuid: 'The uuid is not a UUID: another one was derived from it.',
  ignored_invalid_timestamp: 'The timestamp cannot be read: the time of arrival was taken.',
  event_timestamp_in_future: 'The timestamp lies more than 23 hours ahead: the time of arrival was taken.',
  event_timestamp_out_of_range:
    'The timestamp lies outside of the years 1900 to 2299: it was moved to the nearest of them.',
  invalid_event_timestamp: 'The timestamp is missing or cannot be read.',
  invalid_options: 'The options are not an object, or one of them is of the wrong type.',
  event_name_too_long: `The name of the event is longer than ${eventNameLengthMax} characters.`,
  distinct_id_too_large: `The distinct_id is longer than ${distinctIdLengthMax} characters.`,
  group_key_too_long: `A group key is longer than ${groupKeyLengthMax} characters.`,
  group_type_too_long: `A group type is longer than ${groupTypeLengthMax} characters.`,
  invalid_anon_distinct_id: '$anon_distinct_id must be a text or a number.',
  invalid_alias: 'The alias must be a text or a number.',
  quota_limited: 'The project is over its quota.',
  events_over_quota: 'The project is over its quota of events.',
  exceptions_over_quota: 'The project is over its quota of exceptions.',
  surveys_over_quota: 'The project is over its quota of survey events.',
  llm_events_over_quota: 'The project is over its quota of LLM events.',
  recordings_over_quota: 'The project is over its quota of recordings.',
  event_restriction_drop: 'The operator drops such events.',
  rate_limited: 'The project sends faster than it may.',
};

/** Fields that an event needs, by the code that says they are missing. */
const missingFields: Readonly<Partial<Record<DropReason, string>>> = {
  missing_event_name: 'event',
  missing_distinct_id: 'distinct_id',
};

/** The error of an event, in a sentence for its sender; `written` is the field that they took for the missing one. */
export function errorSentence(code: DropReason, written?: unknown): string {
  const sentence = sentences[code] ?? 'The event was not stored as it was sent.';
  const field = missingFields[code];
  return field === undefined || typeof written !== 'string'
    ? sentence
    : `${sentence} Write "${field}" instead of "${written}".`;
}
