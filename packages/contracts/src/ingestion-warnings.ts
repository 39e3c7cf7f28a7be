import { captureReasons, type CaptureReason, type CaptureWarningType } from './capture-reasons.ts';
import type { WarningKind, WarningSeverity } from './warning-kind.ts';

/** Warnings that the consumer leaves; it leaves some of capture's as well. */
const consumerWarnings = {
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
  definition_limit_exceeded: { severity: 'warning', category: 'limit' },
} as const satisfies Record<string, WarningKind>;

/** Name of a type of ingestion warning. */
export type WarningType = CaptureWarningType | keyof typeof consumerWarnings;

/** Every ingestion warning that Millrace can leave (contract/capture 4.7): those of capture's reasons, and the consumer's. */
export const warningTypes: Readonly<Record<WarningType, WarningKind>> = {
  ...(Object.fromEntries(
    Object.entries<CaptureReason>(captureReasons).flatMap(([name, { warning }]) => (warning ? [[name, warning]] : [])),
  ) as Record<CaptureWarningType, WarningKind>),
  ...consumerWarnings,
};

/** The service that found it. */
export type WarningSource = 'capture' | 'consumer';

/** An ingestion warning on its way from capture to consumer (lane `warnings`). One per request and type. */
export interface CapturedWarning {
  type: CaptureWarningType;
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
