import type { Page } from '@millrace/http/pagination.ts';
import { compileQuery, type CompiledQuery } from '@millrace/query-language/compile.ts';

const samplesMax = 5;

/** Only warnings of this type; null: of all. */
type WarningType = string | null;

const ofType = (type: WarningType): string => (type === null ? '' : 'WHERE type = {type}');
const valuesOf = (type: WarningType): Record<string, string> => (type === null ? {} : { type });

/** The summaries of one page, newest day first, in it the newest type; maybe one of the next page. Pure. */
export function warningSummaries(type: WarningType, { limit, offset }: Page): CompiledQuery {
  const text = `
    SELECT type, toDate(timestamp) AS day, any(severity), any(category), sum(count), max(timestamp) AS last_seen,
      groupArraySorted(${samplesMax})((-toUnixTimestamp64Micro(timestamp), timestamp, source, count, details))
    FROM ingestion_warnings ${ofType(type)}
    GROUP BY type, day
    ORDER BY day DESC, last_seen DESC, type`;
  return compileQuery({ text, values: valuesOf(type), limit, offset, rowsMax: limit });
}

/** Query of the number of summaries on all pages. Pure. */
export function countSummaries(type: WarningType): CompiledQuery {
  return compileQuery({
    text: `SELECT uniqExact(type, toDate(timestamp)) FROM ingestion_warnings ${ofType(type)}`,
    values: valuesOf(type),
    rowsMax: 1,
  });
}
