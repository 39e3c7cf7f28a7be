import type { Page } from '@millrace/http/pagination.ts';

/** Which warnings of a project are wanted; null: of all types. */
export interface WarningFilter {
  teamId: number;
  type: string | null;
}

interface Query {
  sql: string;
  params: Readonly<Record<string, string | number>>;
}

const samplesMax = 5;

// The row policies show no other team's rows to whoever asks with a team's token; the condition is there for the primary key.
const conditions = "team_id = {team:Int64} AND ({type:String} = '' OR type = {type:String})";

/** The summaries of one page: newest day first, in it the newest type. Pure. */
export function warningSummaries({ teamId, type }: WarningFilter, { limit, offset }: Page): Query {
  const sql = `SELECT type, toDate(timestamp) AS day, any(severity), any(category), sum(count), max(timestamp) AS last_seen,
  groupArraySorted(${samplesMax})((-toUnixTimestamp64Micro(timestamp), timestamp, source, count, details))
FROM analytics.ingestion_warnings
WHERE ${conditions}
GROUP BY type, day
ORDER BY day DESC, last_seen DESC, type
LIMIT {limit:UInt64} OFFSET {offset:UInt64}`;
  return { sql, params: { team: teamId, type: type ?? '', limit, offset } };
}

/** How many summaries there are on all pages. Pure. */
export function countSummaries({ teamId, type }: WarningFilter): Query {
  return { sql: `SELECT uniqExact(type, toDate(timestamp)) FROM analytics.ingestion_warnings WHERE ${conditions}`, params: { team: teamId, type: type ?? '' } };
}
