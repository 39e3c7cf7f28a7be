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
    ['select quantile(properties.n)(properties.n) from events', 'wrong_arguments', 'plain numbers', 'properties.n'],
    ['select event from events limit {variables.list}', 'wrong_arguments', 'LIMIT', '{variables.list}'],
    ['select event from events order by 2', 'wrong_arguments', '1 to 1', '2'],
    ['select 1 union all select 1, 2', 'type_mismatch', '1 and 2 columns', 'select 1, 2'],
    ['select 1 from events e where exists (select 1 from persons p where p.id = e.person_id)', 'not_supported', 'outside', 'e.person_id'],
    ['select 1 intersect select 2', 'not_supported', 'INTERSECT is not supported yet', 'select 2'],
    ['select sum(1) over w from events', 'not_supported', 'A window with a name', 'over'],
    ['select rank() from events', 'wrong_arguments', 'rank() needs a window', 'rank()'],
    ['select event from events where rank() over () = 1', 'illegal_aggregate', 'rank() OVER is not allowed here', 'rank() over ()'],
    ['select lower(event) over () from events', 'wrong_arguments', 'lower() is no function of windows', 'lower(event) over ()'],
    ['select a from events array join [1] as a', 'not_supported', 'ARRAY JOIN is not supported yet', 'array'],
    ['select event from events limit 1 by event', 'not_supported', 'LIMIT BY is not supported yet', 'by'],
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

  test('lines and columns count from 1', () => {
    expect(errorOf('select event,\n  evnt\nfrom events').position).toEqual({ line: 2, column: 3, start: 16, end: 20 });
  });
});
