/** How bad it was: `error` = the event, or a part of it, was dropped; `warning` = it was changed, or is suspicious; `info` = neither. */
export type WarningSeverity = 'error' | 'warning' | 'info';

/** Severity and category of a type of ingestion warning. */
export interface WarningKind {
  severity: WarningSeverity;
  category: 'event' | 'size' | 'identity' | 'group' | 'timestamp' | 'limit';
}
