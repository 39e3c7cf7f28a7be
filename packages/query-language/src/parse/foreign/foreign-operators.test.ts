import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../../compile.ts';
import { QueryError } from '../../query-error.ts';

function errorOf(text: string): QueryError {
  try {
    compileQuery({ text, rowsMax: 1 });
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error(`Compiled: ${text}`);
}

describe('operators of other databases name what they are here', () => {
  test.each([
    ["properties ? 'plan'", "JSONHas(properties, 'plan')"],
    ["event REGEXP '^p'", "match(event, '^p')"],
    ["event NOT REGEXP '^p'", "NOT match(event, '^p')"],
    ["lower(event) RLIKE '^p'", "match(lower(event), '^p')"],
    ["event SIMILAR TO 'p'", "match(event, 'p')"],
    ["event CONTAINS 'paid'", "position(event, 'paid') > 0"],
    ['5 DIV 2', 'intDiv(5, 2)'],
    ['5 MOD 2', '5 % 2'],
    ["GROUP_CONCAT(event SEPARATOR '; ')", "string_agg(event, '; ')"],
    ['properties:plan', 'properties.plan'],
    ["'gift' = ANY(properties.tags)", "has(properties.tags, 'gift')", 'where'],
    ["event = ANY(ARRAY['a', 'b'])", "has(ARRAY['a', 'b'], event)"],
    ["event <> ALL(ARRAY['a', 'b'])", "NOT has(ARRAY['a', 'b'], event)"],
    ['event = SOME(properties.tags)', 'has(properties.tags, event)'],
  ])('%s is %s', (written, instead, clause = 'select') => {
    const statement = (expr: string): string =>
      clause === 'select' ? `select ${expr} from events` : `select 1 from events where ${expr}`;
    expect(errorOf(statement(written)).suggestion).toBe(instead);
    expect(() => compileQuery({ text: statement(instead), rowsMax: 1 })).not.toThrow();
  });

  test.each([
    ["properties @> '{}'", "properties.plan = 'pro'"],
    ["properties ?| ['a']", "JSONHas(properties, 'plan')"],
    ["properties #>> '{a,b}'", 'with dots: properties.address.city'],
    ['event = ‘paid’', "straight single quotes: 'paid'"],
    ['event = “paid”', "straight single quotes: 'paid'"],
    ["event = r'a'", 'no letter before its quote'],
    ["event like '5!%' escape '!'", 'a backslash before % or _'],
    ['timestamp > now() - 7 days', 'INTERVAL 7 DAY'],
    ["timestamp > now() - 7 * interval '1 day'", 'INTERVAL 7 DAY, or toIntervalDay(n)'],
    ['1 order by 1 dsc', 'DESC'],
  ])('%s: the message has %s', (written, words) =>
    expect(errorOf(`select 1 from events where ${written}`).message).toContain(words),
  );

  test.each([
    'select event regexp, distinct_id contains, 5 div, 7 days, uuid r from events',
    "select properties.a ? 'x' : 'y' from events",
    'select any(event) = any(distinct_id), max(event) = any(event) from events having max(event) = any(event)',
  ])('these words are names where they can be: %s', (text) =>
    expect(() => compileQuery({ text, rowsMax: 1 })).not.toThrow(),
  );
});
