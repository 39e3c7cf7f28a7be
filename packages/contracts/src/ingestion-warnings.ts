/**
 * How bad it was: `error` = the event, or a part of it, was dropped; `warning` = it was changed, or is suspicious;
 * `info` = neither.
 */
export type WarningSeverity = 'error' | 'warning' | 'info';
export type WarningCategory = 'event' | 'size' | 'identity' | 'group' | 'timestamp' | 'limit';

/** Every ingestion warning that Millrace can leave, with what it says about the event (contract/capture 4.7). */
export const warningTypes = {
  distinct_id_truncated: { severity: 'warning', category: 'identity' },
  missing_event_name: { severity: 'error', category: 'event' },
  missing_distinct_id: { severity: 'error', category: 'identity' },
  malformed_event: { severity: 'error', category: 'event' },
  malformed_event_properties: { severity: 'error', category: 'event' },
  message_size_too_large: { severity: 'error', category: 'size' },
  invalid_event_uuid: { severity: 'warning', category: 'event' },
  ignored_invalid_timestamp: { severity: 'warning', category: 'timestamp' },
  event_timestamp_in_future: { severity: 'warning', category: 'timestamp' },
  event_timestamp_out_of_range: { severity: 'warning', category: 'timestamp' },
  event_uuid_timestamp_divergent: { severity: 'warning', category: 'timestamp' },
  invalid_event_timestamp: { severity: 'error', category: 'timestamp' },
  invalid_event_session_id: { severity: 'warning', category: 'event' },
  invalid_options: { severity: 'error', category: 'event' },
  event_name_too_long: { severity: 'error', category: 'event' },
  distinct_id_too_large: { severity: 'error', category: 'identity' },
  group_key_too_long: { severity: 'error', category: 'group' },
  group_type_too_long: { severity: 'error', category: 'group' },
  invalid_anon_distinct_id: { severity: 'error', category: 'identity' },
  invalid_alias: { severity: 'error', category: 'identity' },
  invalid_process_person_profile: { severity: 'warning', category: 'identity' },
  invalid_event_when_process_person_profile_is_false: { severity: 'error', category: 'identity' },
  event_name_truncated: { severity: 'warning', category: 'event' },
  cannot_merge_with_illegal_distinct_id: { severity: 'warning', category: 'identity' },
  cannot_merge_already_identified: { severity: 'warning', category: 'identity' },
  merge_race_condition: { severity: 'error', category: 'identity' },
  merge_move_limit_exceeded: { severity: 'error', category: 'identity' },
  missing_alias: { severity: 'warning', category: 'identity' },
  invalid_group_set: { severity: 'warning', category: 'group' },
  group_type_limit_exceeded: { severity: 'warning', category: 'group' },
  group_upsert_message_size_too_large: { severity: 'error', category: 'size' },
  missing_survey_id: { severity: 'warning', category: 'event' },
  invalid_ai_token_property: { severity: 'warning', category: 'event' },
  client_ingestion_warning: { severity: 'info', category: 'event' },
  set_on_exception: { severity: 'warning', category: 'identity' },
  invalid_person_update: { severity: 'warning', category: 'identity' },
  person_properties_size_violation: { severity: 'error', category: 'size' },
  quota_limited: { severity: 'error', category: 'limit' },
  event_restriction_drop: { severity: 'error', category: 'limit' },
  high_volume_distinct_id: { severity: 'warning', category: 'limit' },
  ingestion_capacity_overflow: { severity: 'info', category: 'limit' },
  rate_limited: { severity: 'error', category: 'limit' },
  empty_batch: { severity: 'error', category: 'event' },
  invalid_batch: { severity: 'error', category: 'event' },
  missing_event_uuid: { severity: 'error', category: 'event' },
  duplicate_event_uuid: { severity: 'error', category: 'event' },
} as const satisfies Record<string, { severity: WarningSeverity; category: WarningCategory }>;

export type WarningType = keyof typeof warningTypes;

/** The service that found it. */
export type WarningSource = 'capture' | 'consumer';

/** An ingestion warning on its way from capture to consumer (lane `warnings`). One per request and type. */
export interface CapturedWarning {
  type: WarningType;
  token: string;
  projectId: number | null;
  /** UTC, `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  timestamp: string;
  /** How many events it concerns. */
  count: number;
  /** Details of the type; identifiers only when exactly one event is concerned; each text at most 200 bytes. */
  details: Record<string, unknown>;
  /** Only when it is not its type's own. */
  severity?: WarningSeverity;
}

/**
 * Limiters take warnings of one type for repetitions of each other when they have the same key: it names the distinct
 * id, the group or the quota that the warning is about, if any, and its severity when that is not its type's (an error
 * is no repetition of a mere change). Pure.
 */
export function warningKey({
  details: { distinctId, groupKey, resource },
  severity = '',
}: {
  details: Record<string, unknown>;
  severity?: string | undefined;
}): string {
  const subject = [distinctId, groupKey, resource].find((value) => typeof value === 'string') ?? '';
  return `${severity}:${subject}`;
}
