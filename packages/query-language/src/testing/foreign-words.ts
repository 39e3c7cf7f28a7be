import { isAllowedFunction } from './allowed-functions.ts';

const keywords = new Set(
  'IS IN AND OR OVER PARTITION ROWS RANGE BETWEEN UNBOUNDED PRECEDING FOLLOWING CURRENT ROW SELECT DISTINCT AS FROM WHERE GROUP BY HAVING ORDER ASC DESC NULLS FIRST LAST LIMIT OFFSET WITH UNION ALL INNER LEFT RIGHT FULL CROSS JOIN ARRAY SEMI ANTI ASOF INTERSECT EXCEPT WINDOW QUALIFY TIES ROLLUP CUBE GROUPING SETS FILL TO STEP INTERPOLATE RECURSIVE SETTINGS max_block_size ON FINAL NOT NULL true false ANY analytics events persons person_overrides person_contents person_distinct_ids groups ingestion_warnings trace_reviews trace_scores score_definitions numbers'.split(
    ' ',
  ),
);

/** The bare words of printed SQL that are not known to be harmless. Quoted names and literals are taken out first. */
export function foreignWords(sql: string): string[] {
  const bare = sql
    .replaceAll(/`[\w$]+`/g, ' ')
    .replaceAll(/'[\w$ .,:;()/+%?=\\-]*'/g, ' ')
    .replaceAll(/\{p\d+:(Array\()?(Nullable\()?(String|UUID|Date|Bool|DateTime64\(6, {1,3}\))\)?\)?\}/g, ' ');
  const words = bare.match(/[A-Za-z_$][\w$]*|[`'"{};\\#]|--|\/\*/g) ?? [];
  return words.filter((word) => !keywords.has(word) && !isAllowedFunction(word) && !/^e\d*$/.test(word));
}
