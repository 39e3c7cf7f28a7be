import { prepareQuery } from '@millrace/query-language/compile.ts';
import { queryRows } from '../../../queries/execute/query-rows.ts';
import type { TenantEngine } from '../../../queries/execute/tenant-engine.ts';
import { isoOf } from '../../../queries/insights/dates/moments.ts';
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
const ofIssues = `event = '$exception' AND timestamp >= {first} AND timestamp <= {last} AND ${fingerprintHash} IN {hashes}`;

/**
 * `[issue, [days, events of each], persons, sessions, time of the last]`: one query, of which each costs some milliseconds. In one SELECT: one
 * around another is planned for 2 ms more.
 */
const counts = prepareQuery(`
  SELECT ${issuePlace} AS issue, sumMap([toString(toDate(timestamp))], [1]) AS days, uniq(person_id) AS users, uniq(properties.$session_id) AS sessions,
    toString(max(timestamp)) AS last
  FROM events WHERE ${ofIssues} GROUP BY issue`);

const rowsMax = 50_000;

/** Whole numbers beyond 2^53 come as texts. */
type Count = number | string;
type Row = [issue: string, days: [days: string[], events: Count[]], users: Count, sessions: Count, last: string];

/** Counts of the issues of these fingerprints, by id; of those without events all are 0. @throws {AppError} as `TenantEngine.run` does */
export async function countIssues(
  { tenantEngine, clock }: { tenantEngine: TenantEngine; clock: { nowMs(): number } },
  fingerprints: readonly IssueFingerprint[],
  reader: Reader,
): Promise<(id: string) => IssueCounts> {
  const wanted = recentDays(clock.nowMs(), days);
  const none: IssueCounts = { lastSeen: null, occurrences: 0, users: 0, sessions: 0, sparkline: wanted.map(() => 0) };
  if (fingerprints.length === 0) return () => none;
  const hashed = hashFingerprints(fingerprints);
  // Clocks of clients may say any year.
  const window = { first: `${wanted[0]} 00:00:00`, last: `${wanted.at(-1)} 23:59:59.999999` };
  const values = { ...hashed.values, ...window };
  const rows = await queryRows<Row>(tenantEngine, counts.print({ values }, { rowsMax }), reader);
  const found = new Map(
    rows.map(([place, [dates, events], users, sessions, last]): [string, IssueCounts] => {
      const sparkline = wanted.map((day) => Number(events[dates.indexOf(day)] ?? 0));
      const occurrences = events.reduce<number>((sum, count) => sum + Number(count), 0);
      return [
        hashed.issueAt(place),
        { lastSeen: isoOf(last), occurrences, users: Number(users), sessions: Number(sessions), sparkline },
      ];
    }),
  );
  return (id) => found.get(id) ?? none;
}
