import { prepareQuery } from '@millrace/query-language/compile.ts';
import { queryRows } from '../../../queries/execute/query-rows.ts';
import type { TenantEngine } from '../../../queries/execute/tenant-engine.ts';
import { recentDays } from '../recent-days.ts';
import type { Reader } from '../reader-of.ts';
import { fingerprintHash, hashFingerprints, issuePlace } from './hashed-fingerprints.ts';
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
const ofIssues = `event = '$exception' AND timestamp >= {first} AND ${fingerprintHash} IN {hashes}`;

/** `[issue, events, persons, sessions, time of the last]`. */
const totals = prepareQuery(`
  SELECT ${issuePlace} AS issue, sum(n) AS occurrences, uniqMerge(who) AS users, uniqMerge(visits) AS sessions, toString(max(at)) AS last
  FROM (
    SELECT ${fingerprintHash} AS hash, count() AS n, uniqState(person_id) AS who, uniqState(properties.$session_id) AS visits, max(timestamp) AS at
    FROM events WHERE ${ofIssues} GROUP BY hash)
  GROUP BY issue`);

/** `[issue, day, events]`. */
const byDay = prepareQuery(`
  SELECT ${issuePlace} AS issue, day, sum(n) AS occurrences FROM (
    SELECT ${fingerprintHash} AS hash, toString(toDate(timestamp)) AS day, count() AS n FROM events WHERE ${ofIssues} GROUP BY hash, day)
  GROUP BY issue, day`);

const rowsMax = 50_000;

/** Whole numbers beyond 2^53 come as texts. */
type Count = number | string;

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
  const hashed = hashFingerprints(fingerprints);
  const values = {
    ...hashed.values,
    first: `${wanted[0]} 00:00:00`,
  };
  const read = <Row>(query: typeof totals): Promise<Row[]> =>
    queryRows<Row>(tenantEngine, query.print({ values }, { rowsMax }), reader);
  const [all, daily] = await Promise.all([
    read<[Count, Count, Count, Count, string]>(totals),
    read<[Count, string, Count]>(byDay),
  ]);
  for (const [place, occurrences, users, sessions, last] of all)
    counts.set(hashed.issueAt(place), {
      lastSeen: new Date(last).toISOString(),
      occurrences: Number(occurrences),
      users: Number(users),
      sessions: Number(sessions),
      sparkline: wanted.map(() => 0),
    });
  for (const [place, day, occurrences] of daily) {
    const sparkline = counts.get(hashed.issueAt(place))?.sparkline;
    if (sparkline !== undefined && wanted.includes(day)) sparkline[wanted.indexOf(day)] = Number(occurrences);
  }
  return (id) => counts.get(id) ?? none;
}
