import { describe, expect, test } from '@jest/globals';
import { compileQuery } from './compile.ts';

const warningsOf = (text: string, variables = {}): string[] =>
  compileQuery({ text, variables, rowsMax: 1 }).warnings.map(
    ({ code, start, end }) => `${code} ${text.slice(start, end)}`,
  );

describe('warnings of what is hardly meant', () => {
  test.each([
    ["select 1 from events where person_id = 'user_5'", ["no_uuid 'user_5'"]],
    ["select 1 from events where 'user_5' != uuid", ["no_uuid 'user_5'"]],
    [
      "select 1 from events where person_id in ('00000000-0000-4000-8000-000000000001', 'user_5')",
      ["no_uuid 'user_5'"],
    ],
    ['select now() - 7, timestamp + 30 from events', ['seconds 7', 'seconds 30']],
    [
      "select 1 from events where timestamp > toDateTime('yesterday') or toDate('soon') is null",
      ["no_time 'yesterday'", "no_time 'soon'"],
    ],
  ])('%s', (text, expected) => expect(warningsOf(text)).toEqual(expected));

  test('name the place of a variable by the value of the run', () => {
    const text = 'select 1 from events where person_id = {variables.who} or person_id in {variables.list}';
    expect(warningsOf(text, { who: 'x', list: ['y'] })).toEqual([
      'no_uuid {variables.who}',
      'no_uuid {variables.list}',
    ]);
    expect(warningsOf(text, { who: crypto.randomUUID(), list: [crypto.randomUUID()] })).toEqual([]);
  });

  test.each([
    "select 1 from events where person_id = '00000000-0000-4000-8000-000000000001'",
    "select 1 from events where toString(person_id) = 'user_5' or person_id like '0%' or distinct_id = 'user_5'",
    "select now() - interval 7 day, today() - 7, now() - 86400, toDateTime('Jan 5 2026'), timestamp - timestamp from events",
  ])('none of %s', (text) => expect(warningsOf(text)).toEqual([]));

  test('are at most twenty, with short quotations', () => {
    const where = Array.from({ length: 30 }, (_, n) => `person_id = '${'x'.repeat(100)}${n}'`).join(' or ');
    const { warnings } = compileQuery({ text: `select 1 from events where ${where}`, rowsMax: 1 });
    expect([warnings.length, warnings[0]?.message.length]).toEqual([20, expect.any(Number)]);
    expect(warnings[0]?.message.length).toBeLessThan(130);
  });
});
