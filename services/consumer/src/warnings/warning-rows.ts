import type { RowOf } from '@millrace/clickhouse/insert/table-columns.ts';
import {
  warningKey,
  warningTypes,
  type WarningType,
  type CapturedWarning,
  type WarningSource,
} from '@millrace/contracts/ingestion-warnings.ts';
import type { WarningSeverity } from '@millrace/contracts/warning-kind.ts';
import { isProjectId, isTimestamp } from '@millrace/captured-event/check-head.ts';
import type { ingestionWarnings } from '@millrace/contracts/tables/ingestion-warnings.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { isJsonObject, type JsonObject } from '@millrace/json/exact-json.ts';
import { jsonOf } from '@millrace/json/read-json.ts';
import type { WarningLimiter } from './warning-limiter.ts';

export type IngestionWarningRow = RowOf<typeof ingestionWarnings>;

/** Reads an entry of the lane `warnings`; null when it is not a warning that this build knows. */
export function readWarning(head: Buffer): CapturedWarning | null {
  const value = jsonOf(head);
  return isJsonObject(value) && isWarning(value) ? (value as unknown as CapturedWarning) : null;
}

const severities: ReadonlySet<unknown> = new Set<WarningSeverity | undefined>([undefined, 'error', 'warning', 'info']);

function isWarning({ type, token, projectId, timestamp, count, details, severity }: JsonObject): boolean {
  if (typeof type !== 'string' || !Object.hasOwn(warningTypes, type) || typeof token !== 'string') return false;
  return (
    isProjectId(projectId) &&
    isTimestamp(timestamp) &&
    severities.has(severity) &&
    Number.isSafeInteger(count) &&
    Number(count) >= 0 &&
    isJsonObject(details)
  );
}

type WarningFields = Pick<CapturedWarning, 'timestamp' | 'count' | 'details' | 'severity'> & { type: WarningType };

/** The row of a warning. Severity and category are in its details too (contract/capture 4.7). */
export function warningRow(
  teamId: number,
  source: WarningSource,
  { type, timestamp, count, details, severity = warningTypes[type].severity }: WarningFields,
): IngestionWarningRow {
  const { category } = warningTypes[type];
  return {
    team_id: teamId,
    source,
    type,
    severity,
    category,
    count,
    details: JSON.stringify({ pipelineStep: source, ...details, category, severity }),
    timestamp,
  };
}

/** Reported every time: each is about two persons who stay apart (contract/capture 4.4). */
const unlimited: ReadonlySet<string> = new Set(['cannot_merge_with_illegal_distinct_id']);

/** The consumer's own warnings about these events, as far as the limiter lets them through. */
export function ownWarningRows(
  drafts: readonly EventDraft[],
  timestamp: string,
  limiter: WarningLimiter,
): IngestionWarningRow[] {
  return drafts.flatMap(({ project, warnings }) =>
    warnings
      .filter(({ type, details }) => unlimited.has(type) || limiter(project.id, type, warningKey({ details })))
      .map(({ type, details }) => warningRow(project.id, 'consumer', { type, timestamp, count: 1, details })),
  );
}
