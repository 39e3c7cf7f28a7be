/** An event as it is stored, for the features of traces. */
export interface StoredEvent {
  /** In lower case. */
  uuid: string;
  /** `$ai_generation`, for instance. */
  event: string;
  /** ISO 8601 in UTC with six digits of a second: `2026-01-31T12:00:00.000000Z`. Texts of this form sort by time. */
  timestamp: string;
  /** All properties as JSON text in UTF-8, as they were captured: digits of numbers and order of keys are those of the client. */
  properties: Buffer;
}

/** Events of one trace. */
export interface StoredTrace {
  /** At least one, each uuid once, the earliest first; events of the same time by uuid. */
  events: StoredEvent[];
  /** Events of the trace that were left out because of the bounds (contract/decisions 58): the oldest. */
  eventsOmitted: number;
}
