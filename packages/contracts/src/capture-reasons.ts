import {
  distinctIdLengthMax,
  eventBytesMax,
  eventDepthMax,
  eventNameLengthMax,
  groupKeyLengthMax,
  groupTypeLengthMax,
} from './limits.ts';
import type { QuotaResource } from './project-limits.ts';
import type { WarningKind } from './warning-kind.ts';

/** A reason for capture to drop or change an event, to refuse a batch, or to warn about either. */
export interface CaptureReason {
  /**
   * The fate of the event: `dropped`; `changed` and stored; `stored` as it came; or `refused` with its whole request. Of
   * an entry of `$groups` with too long a type or key only the entry is dropped.
   */
  effect: 'dropped' | 'changed' | 'stored' | 'refused';
  /** Its ingestion warning, of the same name (contract/capture 4.7). Absent: it leaves none of this name. */
  warning?: WarningKind;
  /** Error for the sender, in strict mode and in capture's log. Absent: no error of one event (contract/capture 2.8). */
  sentence?: string;
  /** The field that a sender who wrote another one should have written. */
  missingField?: string;
  /** Code in replies of V1, where it is another one (contract/capture 1.10). */
  v1Code?: string;
}

type Category = WarningKind['category'];

const error = (category: Category): WarningKind => ({ severity: 'error', category });
const warning = (category: Category): WarningKind => ({ severity: 'warning', category });

/**
 * Every reason of capture, by name. Types, sentences, counters and codes are derived from this table alone; a test compares it
 * with docs/capture.md and contract/capture 4.7.
 */
export const captureReasons = {
  missing_event_name: {
    effect: 'dropped',
    warning: error('event'),
    sentence: 'The event has no name.',
    missingField: 'event',
  },
  missing_distinct_id: {
    effect: 'dropped',
    warning: error('identity'),
    sentence: 'The event has no distinct_id.',
    missingField: 'distinct_id',
  },
  malformed_event: {
    effect: 'dropped',
    warning: error('event'),
    sentence: `The event is not an object, or is nested deeper than ${eventDepthMax} levels.`,
    v1Code: 'serialization_failed',
  },
  malformed_event_properties: {
    effect: 'dropped',
    warning: error('event'),
    sentence: 'The properties are not an object.',
  },
  message_size_too_large: {
    effect: 'dropped',
    warning: error('size'),
    sentence: `The event is larger than ${eventBytesMax.toLocaleString('en')} bytes.`,
    v1Code: 'event_too_big',
  },
  group_key_too_long: {
    effect: 'dropped',
    warning: error('group'),
    sentence: `A group key is longer than ${groupKeyLengthMax} characters.`,
  },
  group_type_too_long: {
    effect: 'dropped',
    warning: error('group'),
    sentence: `A group type is longer than ${groupTypeLengthMax} characters.`,
  },
  invalid_anon_distinct_id: {
    effect: 'dropped',
    warning: error('identity'),
    sentence: '$anon_distinct_id must be a text or a number.',
  },
  invalid_alias: {
    effect: 'dropped',
    warning: error('identity'),
    sentence: 'The alias must be a text or a number.',
  },
  dropped_performance_event: { effect: 'dropped' },

  // V1 drops what v0 would cut or replace.
  event_name_too_long: {
    effect: 'dropped',
    warning: error('event'),
    sentence: `The name of the event is longer than ${eventNameLengthMax} characters.`,
  },
  distinct_id_too_large: {
    effect: 'dropped',
    warning: error('identity'),
    sentence: `The distinct_id is longer than ${distinctIdLengthMax} characters.`,
  },
  invalid_event_timestamp: {
    effect: 'dropped',
    warning: error('timestamp'),
    sentence: 'The timestamp is missing or cannot be read.',
  },
  invalid_options: {
    effect: 'dropped',
    warning: error('event'),
    sentence: 'The options are not an object, or one of them is of the wrong type.',
  },

  // Operators and limits. A quota leaves the warning `quota_limited`; the code in the reply names the quota.
  event_restriction_drop: {
    effect: 'dropped',
    warning: error('limit'),
    sentence: 'A restriction of the operator drops this event.',
  },
  quota_limited: { effect: 'dropped', warning: error('limit'), sentence: 'The project is over its quota.' },
  events_over_quota: { effect: 'dropped', sentence: 'The project is over its quota of events.' },
  exceptions_over_quota: { effect: 'dropped', sentence: 'The project is over its quota of exceptions.' },
  surveys_over_quota: { effect: 'dropped', sentence: 'The project is over its quota of survey events.' },
  llm_events_over_quota: { effect: 'dropped', sentence: 'The project is over its quota of LLM events.' },
  recordings_over_quota: { effect: 'dropped', sentence: 'The project is over its quota of recordings.' },
  high_volume_distinct_id: { effect: 'stored', warning: warning('limit') },
  ingestion_capacity_overflow: { effect: 'stored', warning: { severity: 'info', category: 'limit' } },

  distinct_id_truncated: {
    effect: 'changed',
    warning: warning('identity'),
    sentence: `The distinct_id, or the id to merge with, was cut to ${distinctIdLengthMax} characters.`,
  },
  invalid_event_uuid: {
    effect: 'changed',
    warning: warning('event'),
    sentence: 'The uuid is not a UUID: a valid one was derived from it.',
  },
  ignored_invalid_timestamp: {
    effect: 'changed',
    warning: warning('timestamp'),
    sentence: 'The timestamp cannot be read: the time of arrival replaced it.',
  },
  event_timestamp_in_future: {
    effect: 'changed',
    warning: warning('timestamp'),
    sentence: 'The timestamp is more than 23 hours in the future: the time of arrival replaced it.',
  },
  event_timestamp_out_of_range: {
    effect: 'changed',
    warning: warning('timestamp'),
    sentence: 'The timestamp is outside the years 1900 to 2299: it was moved to the nearest time in this range.',
  },
  // Looked for in strict mode alone: finding it costs another reading of the event.
  unread_field: { effect: 'changed', sentence: 'A field of the event is not stored, or has no effect.' },
  doubtful_timestamp: {
    effect: 'changed',
    sentence: 'The timestamp is read as seconds since 1970: it is before 1973.',
  },
  event_uuid_timestamp_divergent: { effect: 'stored', warning: warning('timestamp') },
  invalid_event_session_id: { effect: 'stored', warning: warning('event') },

  // A whole request; its reply is in capture's `http/error-replies.ts`.
  rate_limited: { effect: 'refused', warning: error('limit') },
  empty_batch: { effect: 'refused', warning: error('event') },
  invalid_batch: { effect: 'refused', warning: error('event') },
  missing_event_uuid: { effect: 'refused', warning: error('event') },
  duplicate_event_uuid: { effect: 'refused', warning: error('event') },
} as const satisfies Record<string, CaptureReason> & Record<`${QuotaResource}_over_quota`, CaptureReason>;

type Reasons = typeof captureReasons;

/** Name of a reason; also the label `reason` of `millrace_capture_events_dropped_total`. */
export type CaptureReasonName = keyof Reasons;

/** Names of the reasons that leave an ingestion warning. */
export type CaptureWarningType = {
  [Name in CaptureReasonName]: Reasons[Name] extends { warning: object } ? Name : never;
}[CaptureReasonName];

/** The declaration of a reason. Pure. */
export function captureReason(name: CaptureReasonName): CaptureReason {
  return captureReasons[name];
}
