import { describe, expect, test } from '@jest/globals';
import { compileQuery } from './compile.ts';
import { QueryError, type QueryErrorCode } from './query-error.ts';
import { corpusValues } from './testing/corpus.ts';

function errorOf(text: string): QueryError {
  try {
    compileQuery({ text, ...corpusValues, rowsMax: 100 });
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error(`Compiled: ${text}`);
}

describe('errors name what is wrong, where it is, and the nearest known name', () => {
  const cases: [text: string, code: QueryErrorCode, words: string, at: string, suggestion?: string][] = [
    ['select evnt from events', 'unknown_column', '"evnt"', 'evnt', 'event'],
    ['select e.evnt from events e', 'unknown_column', '"evnt"', 'e.evnt', 'event'],
    ['select event from evnts', 'unknown_table', '"evnts"', 'evnts', 'events'],
    ['select counnt() from events', 'unknown_function', '"counnt"', 'counnt()', 'count'],
    ['select {variables.plann}', 'unknown_variable', '{variables.plann}', '{variables.plann}', 'plan'],
    ['select {filter}', 'unknown_variable', '{filter}', '{filter}'],
    ['select person from events', 'unknown_column', 'id, created_at, properties', 'person'],
    ['select events from events', 'unknown_column', 'is a table', 'events from'.slice(0, 6)],
    ['select created_at from events join persons on events.person_id = persons.id', 'ambiguous_column', 'several tables', 'created_at'],
    ['select event from events where count() > 1', 'illegal_aggregate', 'HAVING', 'count()'],
    ['select count() as c from events where c > 1', 'illegal_aggregate', '"c"', 'c > 1'.slice(0, 1)],
    ['select sum(count()) from events', 'illegal_aggregate', 'inside another', 'count()'],
    ['select a as b, b as a', 'unknown_column', 'defined by itself', 'b'],
    ['select 1 as a, 2 as a', 'invalid_name', '"a"', '2 as a'],
    ['select 1 from events, persons events', 'invalid_name', '"events"', 'persons events'],
    ['select event + 1 from events', 'type_mismatch', 'Expected a number', 'event'],
    ['select distinct_id < timestamp from events', 'type_mismatch', 'text and a time', 'timestamp'],
    ["select timestamp > 'yesterday' from events", 'type_mismatch', 'not a date', "'yesterday'"],
    ['select lower() from events', 'wrong_arguments', '1 argument, found 0', 'lower()'],
    ["select dateTrunc('foo', timestamp) from events", 'type_mismatch', "'second'", "'foo'"],
    [`select JSONExtract(properties, '${'Array('.repeat(21)}Int64${')'.repeat(21)}') from events`, 'invalid_value', '20 brackets', `'${'Array('.repeat(21)}`],
    [`select cast(event, '${'x'.repeat(201)}') from events`, 'invalid_value', '200 characters', "'xxx"],
    [`select [1]::${'array('.repeat(21)}int${')'.repeat(21)} from events`, 'invalid_value', '20 brackets', '[1]::'],
    ['select topK(0)(event) from events', 'wrong_arguments', 'a whole number from 1 to 10000', '0'],
    ['select topK(1.5)(event) from events', 'wrong_arguments', 'a whole number from 1 to 10000', '1.5'],
    ['select topK(10, 11)(event) from events', 'wrong_arguments', 'a whole number from 1 to 10', '11'],
    ['select groupArraySorted(1e18)(event) from events', 'wrong_arguments', 'a whole number from 1 to 1000000', '1e18'],
    ['select histogram(99999999999999999999)(properties.n) from events', 'invalid_value', '64 bits', '9999'],
    ['select histogram(9999999999999999999)(properties.n) from events', 'wrong_arguments', 'a whole number from 1 to 250', '9999'],
    ['select quantile(1.5)(properties.n) from events', 'wrong_arguments', 'a number from 0 to 1', '1.5'],
    ['select quantileDD(1e-300, 0.5)(properties.n) from events', 'wrong_arguments', 'a number from 0.001 to 0.999', '1e-300'],
    ['select quantile(properties.n)(properties.n) from events', 'wrong_arguments', 'plain numbers', 'properties.n'],
    ['select event from events limit {variables.list}', 'wrong_arguments', 'LIMIT', '{variables.list}'],
    ['select event from events order by 2', 'wrong_arguments', '1 to 1', '2'],
    ['select 1 union all select 1, 2', 'type_mismatch', '1 and 2 columns', 'select 1, 2'],
    ['select 1 from events e where exists (select 1 from persons p where p.id = e.person_id)', 'not_supported', 'outside', 'e.person_id'],
    ['select 1 except select 1, 2', 'type_mismatch', 'of an EXCEPT have 1 and 2 columns', 'select 1, 2'],
    ['select sum(1) over week from events window weeks as (order by event)', 'unknown_column', 'Unknown window "week"', 'sum(1)', 'weeks'],
    ['select sum(1) over w as s from events window w as (order by s)', 'unknown_column', 'defined by itself', 's)'],
    ['select 1 from events window w as (order by sum(1) over w)', 'illegal_aggregate', 'inside another', 'sum(1) over w'],
    ['select sum(rank() over w) over w from events window w as (order by event)', 'illegal_aggregate', 'inside another', 'rank()'],
    ['select 1 from events window w as (order by evnt)', 'unknown_column', '"evnt"', 'evnt', 'event'],
    ['select 1 from events window w as (), w as ()', 'invalid_name', 'Two windows', 'w as ()'],
    ['select event from events qualify evnt = 1', 'unknown_column', '"evnt"', 'evnt', 'event'],
    ['select rank() from events', 'wrong_arguments', 'rank() needs a window', 'rank()'],
    ['select event from events where rank() over () = 1', 'illegal_aggregate', 'rank() OVER is not allowed here', 'rank() over ()'],
    ['select lower(event) over () from events', 'wrong_arguments', 'lower() is no function of windows', 'lower(event) over ()'],
    ['select 1 from events array join [1]', 'syntax_error', 'needs a name', '[1]'],
    ['select 1 array join [1] as a', 'syntax_error', 'needs FROM', 'array join'],
    ['select 1 from events array join event as e', 'type_mismatch', 'Expected an array, found text', 'event'],
    ['select itm from events array join [1] as item', 'unknown_column', '"itm"', 'itm', 'item'],
    ['select 1 from events array join [1] as a, [2] as a', 'invalid_name', '"a" twice', '[2] as a'],
    ['select 1 from events array join [1] as x where 1 in (select x from events)', 'not_supported', 'outside', 'x from events)'],
    ['select event from events limit 1 by evnt', 'unknown_column', '"evnt"', 'evnt', 'event'],
    ['select event from events limit 1 by 2', 'wrong_arguments', '1 to 1', '2'],
    ['select event from events limit 1, 2', 'not_supported', 'LIMIT n OFFSET m', '2'],
    ['select event from events limit 3 with ties', 'syntax_error', 'needs ORDER BY', '3'],
    ['select event from events order by 1 limit 3 with ties by event', 'syntax_error', 'does not go with LIMIT BY', 'limit 3'],
    ['select 1 from events join persons using (creatd_at)', 'unknown_column', '"creatd_at"', 'creatd_at', 'created_at'],
    ['select 1 from events join persons using (event)', 'unknown_column', '"event"', 'event)'],
    ['select 1 from events join persons using (events.event)', 'syntax_error', 'plain names', 'events.event'],
    ['select 1 from events e join events f using (uuid) join persons p using (event)', 'ambiguous_column', 'write ON', 'event)'],
    ['select 1 from events any join persons', 'syntax_error', 'ANY INNER JOIN needs ON', 'persons'],
    ['select 1 from events e any full join events f on e.event = f.event', 'not_supported', 'FULL ANY JOIN', 'events f'],
    ['select 1 from events e asof join events f on e.event = f.event', 'wrong_arguments', 'one comparison', 'on e.event'],
    ['select 1 from events e asof join events f using (event)', 'wrong_arguments', 'two columns', 'using'],
    ['select * except (evnt) from events', 'unknown_column', '"evnt"', '* except', 'event'],
    ['select * except (n) from (select 1 as n)', 'wrong_arguments', 'No column is left', '* except'],
    ['select lower(event) filter (where 1) from events', 'wrong_arguments', 'FILTER', '1)'],
    ['select countIf(1) filter (where 1) from events', 'wrong_arguments', 'one too many', '1) from'],
    ['select event, count() from events group by rollup(evnt)', 'unknown_column', '"evnt"', 'evnt', 'event'],
    ['with recursive t as (select 1 as n union select n + 1 from t) select n from t', 'not_supported', 'UNION ALL', 'select n + 1'],
    ['with recursive t as (select 1 as n union all select m from t) select n from t', 'unknown_column', '"m"', 'm from t'],
    ['with recursive t as (select 1 as n union all select n, 2 from t) select n from t', 'type_mismatch', '1 and 2 columns', 'select n, 2'],
    ['with recursive t as (select n from t union all select 1) select n from t', 'unknown_table', '"t"', 't union'],
    ['select event from events order by event with fill', 'type_mismatch', 'numbers, dates and times, not text', 'event with'],
    ['select event from events order by timestamp with fill', 'wrong_arguments', 'a column of the SELECT', 'timestamp'],
    ['select timestamp as t from events order by t with fill from min(t)', 'wrong_arguments', 'fixed values', 'min(t)'],
    ['select timestamp as t from events order by t with fill staleness interval 1 day', 'not_supported', 'STALENESS', 'staleness'],
    ['select number as n from numbers(2) order by n with fill step interval 1 day', 'type_mismatch', 'steps that are numbers', 'interval 1 day'],
    ['select number as n, 2 as total from numbers(2) order by n with fill interpolate (totl as 1)', 'unknown_column', '"totl"', 'totl', 'total'],
    ['select number as n, 2 as total from numbers(2) order by n with fill interpolate (total as totl)', 'unknown_column', '"totl"', 'totl)', 'total'],
    ['select number as n from numbers(2) order by n interpolate (n)', 'syntax_error', 'WITH FILL before it', 'n)'],
    ['select number as n from numbers(2) order by n with fill limit 1 with ties', 'wrong_arguments', 'WITH TIES does not go with WITH FILL', 'n with fill'],
    ['select sum(1) over (order by timestamp with fill) from events', 'syntax_error', 'ORDER BY of a query', 'timestamp'],
    ['select event from events group by grouping sets (event)', 'syntax_error', 'Expected "("', 'event)'],
    ['select event from events group by event with rolup', 'syntax_error', 'ROLLUP or CUBE', 'rolup'],
    ['select event from events group by all with cube', 'syntax_error', 'plain keys', 'with cube'],
    ['select grouping(event), count() from events group by event', 'illegal_aggregate', 'ROLLUP, CUBE or GROUPING SETS', 'grouping(event)'],
    ['select 1 from events group by cube(1 = 1, 2 = 2, 3 = 3, 4 = 4, 5 = 5, 6 = 6, 7 = 7, 8 = 8, 9 = 9)', 'query_too_large', 'more than 8', '9 = 9'],
    ['select event from events group by rollup(event), distinct_id', 'unknown_function', '"rollup"', 'rollup(event)'],
    ['select event, count() from events group by event with totals', 'not_supported', 'GROUPING SETS ((a, b), ())', 'with totals'],
    ['select elements_chain_text from events', 'unknown_column', '"elements_chain_text"', 'elements_chain_text', 'elements_chain_texts'],
    ['select event in cohort 5 from events', 'not_supported', 'no cohorts', 'event'],
    ['select * from {variables.plan}', 'not_allowed', 'not for a table', '{variables.plan}'],
    ['select event from events where', 'syntax_error', 'end of the query', ''],
    ["select 'abc", 'syntax_error', 'never closed', "'abc"],
    ['select é from events', 'syntax_error', 'quote names', 'é'],
    ['select 99999999999999999999', 'invalid_value', '64 bits', '99999999999999999999'],
  ];

  test.each(cases.map(([text, code, words, at, suggestion]) => ({ text, code, words, at, suggestion })))('$text', ({ text, code, words, at, suggestion }) => {
    const error = errorOf(text);
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
    expect(text.slice(error.position.start).startsWith(at)).toBe(true);
    expect(error.suggestion).toBe(suggestion);
  });

  test('more set operations than the engine can nest are refused here', () => {
    expect(errorOf(`select 0${' except select 1'.repeat(401)}`).code).toBe('too_deep');
    expect(() => compileQuery({ text: `select 0${' except select 1'.repeat(400)}`, rowsMax: 100 })).not.toThrow();
  });

  test('lines and columns count from 1', () => {
    expect(errorOf('select event,\n  evnt\nfrom events').position).toEqual({ line: 2, column: 3, start: 16, end: 20 });
  });
});
