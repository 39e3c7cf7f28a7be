import { describe, expect, test } from '@jest/globals';
import { compileQuery } from './compile.ts';

const printed = (text: string, timeZone?: string) => compileQuery({ text, rowsMax: 1, ...(timeZone && { timeZone }) });

describe("the project's time zone", () => {
  // A column in a function finds no rows by the key: comparisons of instants must not have one.
  test('leaves comparisons of times as they are, and shifts their constants', () => {
    const text = "select 1 from events where timestamp >= '2026-03-01' and timestamp < '2026-07-01 12:00:00.5'";
    const { sql, params } = printed(text, 'America/Los_Angeles');
    expect(sql).toEqual(printed(text).sql);
    expect(params).toEqual({ p0: '2026-03-01 08:00:00.000000', p1: '2026-07-01 19:00:00.500000' });
  });

  test('is given to what cuts or writes a time, once', () =>
    expect(
      printed("select toHour(toStartOfHour(timestamp)), toHour(timestamp, 'UTC') from events", 'Asia/Tokyo').sql,
    ).toContain("toHour(toStartOfHour(toTimeZone(`__t0`.`timestamp`, 'Asia/Tokyo')))"));

  test('changes nothing when it is UTC', () => {
    const text = "select toDate(timestamp), toString(timestamp), today() from events where timestamp > '2026-03-01'";
    expect(printed(text, 'UTC')).toEqual(printed(text));
    expect(printed(text).sql).not.toContain('toTimeZone');
  });

  test('makes no time of a date when it is UTC', () =>
    expect(printed('select today() + interval 9 hour, addHours(today(), 9) from events', 'UTC').sql).not.toMatch(
      /toDateTime64|toTimeZone/,
    ));
});
