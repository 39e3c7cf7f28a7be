import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../compile.ts';
import { QueryError } from '../query-error.ts';

const recursive = (first: string, later: string): string =>
  `with recursive t as (select ${first} as v, 1 as n union all select ${later}, n + 1 from t where n < 3) select v from t`;

function errorOf(text: string): { code: string; message: string; at: string } | undefined {
  try {
    compileQuery({ text, rowsMax: 100 });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { code: error.code, message: error.message, at: text.slice(error.position.start, error.position.end) };
  }
  return undefined;
}

describe('the first part of a recursive query settles the types', () => {
  test.each([
    ['1', "'x'", 'number', 'text'],
    ['1', 'v / 2', 'whole numbers', 'toInt(…)'],
    ["'x'", 'n', 'text', 'number'],
    ["'x'", 'now()', 'text', 'a time'],
    ["toDate('2026-01-01')", 'now()', 'a date', 'a time'],
    ['[1]', 'NULL', 'an array', 'NULL'],
    ['NULL', '[1]', 'NULL', 'an array'],
    ['generateUUIDv4()', "'x'", 'UUID', 'text'],
  ])('%s, then %s: an error with its place', (first, later, ...words) => {
    const error = errorOf(recursive(first, later));
    expect(error).toMatchObject({ code: 'type_mismatch', at: later });
    for (const word of ['"v"', ...words]) expect(error?.message).toContain(word);
  });

  test.each([
    ['1', 'NULL'],
    ['1', 'v + 1'],
    ['1.5', 'n'],
    ["'x'", "v || 'x'"],
    ['now()', "toDate('2026-01-01')"],
    ["toDate('2026-01-01')", 'v + interval 1 day'],
    ['NULL', 'n'],
    ['NULL', 'NULL'],
    ['[1]', 'arrayPushBack(v, n)'],
  ])('%s, then %s: fits', (first, later) => {
    expect(errorOf(recursive(first, later))).toBeUndefined();
  });

  test('an error of a part with sets of its own is at the part', () => {
    const error = errorOf(
      "with recursive t as (select 1 as v union all (select 'x' union all select 'y')) select v from t",
    );
    expect(error?.code).toBe('type_mismatch');
    expect(error?.at).toContain("select 'x' union all select 'y'");
  });
});
