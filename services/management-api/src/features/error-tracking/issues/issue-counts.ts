import { prepareQuery } from '@millrace/query-language/compile.ts';
import { queryRows } from '../../../queries/execute/query-rows.ts';
import type { TenantEngine } from '../../../queries/execute/tenant-engine.ts';
import { recentDays } from '../recent-days.ts';
import type { Reader } from '../reader-of.ts';
import type { IssueFingerprint } from './issue-queries.ts';

/** Stored events of an issue in some days. */
export interface IssueCounts {
  /** ISO 8601; null: nothing was. */
  lastSeen: string | null;
  occurrences: number;
  /** Persons. */
  users: number;
  sessions: number;
  /** Events by day of UTC, the earliest day first. */
  sparkline: number[];
}

/** Days of the counts, today included. */
const days = 14;

// In the language of saved queries, so that one project's events are all there is. By fingerprints, which merges and splits lead to their issue
// of today, whatever issue an event came with.
const issue = 'arrayElement({issues}, indexOf({fingerprints}, properties.$exception_fingerprint))';
const ofIssues =
  "event = '$exception' AND timestamp >= {first} AND properties.$exception_fingerprint IN {fingerprints}";

/** `[issue, events, persons, sessions, time of the last]`. */
const totals = prepareQuery(`
  SELECT ${issue} AS issue, count() AS occurrences, uniq(person_id) AS users, uniq(properties.$session_id) AS sessions,
    toString(max(timestamp)) AS last
  FROM events WHERE ${ofIssues} GROUP BY issue`);

/** `[issue, day, events]`. */
const byDay = prepareQuery(`
  SELECT ${issue} AS issue, toString(toDate(timestamp)) AS day, count() AS occurrences FROM events WHERE ${ofIssues} GROUP BY issue, day`);

const rowsMax = 50_000;

/** Counts of the issues of these fingerprints, by id; of those without events all are 0. @throws {AppError} as `TenantEngine.run` does */
export async function countIssues(
  { tenantEngine, clock }: { tenantEngine: TenantEngine; clock: { nowMs(): number } },
  fingerprints: readonly IssueFingerprint[],
  reader: Reader,
): Promise<(id: string) => IssueCounts> {
  const wanted = recentDays(clock.nowMs(), days);
  const counts = new Map<string, IssueCounts>();
  const none: IssueCounts = { lastSeen: null, occurrences: 0, users: 0, sessions: 0, sparkline: wanted.map(() => 0) };
  if (fingerprints.length === 0) return () => none;
  const values = {
    issues: fingerprints.map(({ issueId }) => issueId),
    fingerprints: fingerprints.map(({ fingerprint }) => fingerprint),
    first: `${wanted[0]} 00:00:00`,
  };
  const read = <Row>(query: typeof totals): Promise<Row[]> =>
    queryRows<Row>(tenantEngine, query.print({ values }, { rowsMax }), reader);
  const [all, daily] = await Promise.all([
    read<[string, number | string, number | string, number | string, string]>(totals),
    read<[string, string, number | string]>(byDay),
  ]);
  for (const [id, occurrences, users, sessions, last] of all)
    counts.set(id, {
      lastSeen: new Date(last).toISOString(),
      occurrences: Number(occurrences),
      users: Number(users),
      sessions: Number(sessions),
      sparkline: wanted.map(() => 0),
    });
  for (const [id, day, occurrences] of daily) {
    const sparkline = counts.get(id)?.sparkline;
    if (sparkline !== undefined && wanted.includes(day)) sparkline[wanted.indexOf(day)] = Number(occurrences);
  }
  return (id) => counts.get(id) ?? none;
}
