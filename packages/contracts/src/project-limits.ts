// Decisions of operators about a project's events (contract/capture 1.11): set through the command line, kept in
// Postgres, obeyed by capture.

/** Kinds of events that can have a quota of their own; `events` counts all but recordings. */
export const quotaResources = ['events', 'exceptions', 'surveys', 'llm_events', 'recordings'] as const;

export type QuotaResource = (typeof quotaResources)[number];

/** Periods of the UTC calendar. */
export const quotaPeriods = ['day', 'month'] as const;

export type QuotaPeriod = (typeof quotaPeriods)[number];

/** First day (`YYYY-MM-DD`) and end of the UTC day or month that holds `nowMs`. */
export function periodOf(period: QuotaPeriod, nowMs: number): { periodStart: string; periodEndMs: number } {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const startMs = period === 'day' ? Date.UTC(year, month, day) : Date.UTC(year, month, 1);
  const periodEndMs = period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
  return { periodStart: new Date(startMs).toISOString().slice(0, 10), periodEndMs };
}

/** Actions on the events that a restriction names. */
export const restrictionActions = [
  'drop_event',
  'force_overflow',
  'redirect_to_dlq',
  'skip_person_processing',
] as const;

export type RestrictionAction = (typeof restrictionActions)[number];
