import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../../compile.ts';
import { QueryError } from '../../query-error.ts';
import { foreignNames } from './foreign-names.ts';

function suggestionFor(call: string): string | undefined {
  try {
    compileQuery({ text: `select ${call} from events`, rowsMax: 1 });
  } catch (error) {
    if (error instanceof QueryError) return error.suggestion;
    throw error;
  }
  throw new Error(`Compiled: ${call}`);
}

const compiles = (call: string): void => {
  compileQuery({ text: `select ${call} from events`, rowsMax: 1 });
};

describe('calls of other databases', () => {
  test.each([
    ['DATE_TRUNC(timestamp, MONTH)', "dateTrunc('month', timestamp)"],
    ['DATE_DIFF(now(), timestamp, DAY)', "dateDiff('day', timestamp, now())"],
    ['TIMESTAMP_DIFF(now(), timestamp, HOUR)', "dateDiff('hour', timestamp, now())"],
    ['TIMESTAMP_TRUNC(timestamp, MONTH)', "dateTrunc('month', timestamp)"],
    ["FORMAT_TIMESTAMP('%F', timestamp)", "formatDateTime(timestamp, '%F')"],
    ["FORMAT_DATE('%F', toDate(timestamp))", "formatDateTime(toDate(timestamp), '%F')"],
    ["PARSE_DATE('%Y-%m-%d', properties.day)", "toDate(parseDateTime(properties.day, '%Y-%m-%d'))"],
    ["STR_TO_DATE(properties.day, '%Y-%m-%d')", "parseDateTime(properties.day, '%Y-%m-%d')"],
    ["CONVERT_TZ(timestamp, 'UTC', 'Europe/Berlin')", "toTimeZone(timestamp, 'Europe/Berlin')"],
    ['FROM_UNIXTIME(properties.at)', 'fromUnixTimestamp(properties.at)'],
    ['WEEKDAY(timestamp)', 'toDayOfWeek(timestamp, 1)'],
    ['octet_length(event)', 'length(event)'],
    ['mid(event, 1, 2)', 'substring(event, 1, 2)'],
    ["strpos(event, 'a')", "position(event, 'a')"],
    ["JSON_EXTRACT(properties, '$.plan')", "JSON_VALUE(properties, '$.plan')"],
    ["JSON_UNQUOTE(JSON_VALUE(properties, '$.plan'))", "JSON_VALUE(properties, '$.plan')"],
    ["REGEXP_LIKE(event, '^a')", "match(event, '^a')"],
    ["REGEXP_CONTAINS(event, '^a')", "match(event, '^a')"],
    ["REGEXP_MATCH(event, '(a)(b)')", "extractGroups(event, '(a)(b)')"],
    ['APPROX_QUANTILES(properties.price, 4)', 'quantiles(0.25, 0.5, 0.75)(properties.price)'],
    ['TO_HEX(MD5(event))', 'lower(hex(MD5(event)))'],
    ['UUID()', 'generateUUIDv4()'],
    ['VARIANCE(properties.price)', 'varPop(properties.price)'],
    ["to_date(event, 'MM/DD/YYYY')", "toDate(parseDateTime(event, '%m/%d/%Y'))"],
    ["to_timestamp(event, 'YYYY-MM-DD HH24:MI:SS')", "parseDateTime(event, '%Y-%m-%d %H:%i:%S')"],
    ['to_timestamp(properties.at)', 'toDateTime(properties.at)'],
    ["strftime('%Y-%m', timestamp)", "formatDateTime(timestamp, '%Y-%m')"],
    ["strftime(timestamp, '%Y-%m')", "formatDateTime(timestamp, '%Y-%m')"],
    ["JSON_UNQUOTE(JSON_EXTRACT(properties, '$.plan'))", "JSON_VALUE(properties, '$.plan')"],
    ["COUNT_IF(event = 'paid')", "countIf(event = 'paid')"],
    ['max_by(event, timestamp)', 'argMax(event, timestamp)'],
    ['last(event)', 'argMax(event, timestamp)'],
    ['GROUP_CONCAT(event)', "string_agg(event, ',')"],
  ])('%s is %s', (call, suggestion) => {
    expect(suggestionFor(call)).toBe(suggestion);
    compiles(suggestion);
  });

  test.each([
    "select dateTrunc('month', timestamp), dateDiff(day, timestamp, now()) from events",
    'select dateTrunc(day, month) from (select timestamp as month from events)',
    'select dateDiff(day, week, month) from (select now() as month, now() as week)',
  ])('a unit that is first, and a column of that name, are taken: %s', (text) =>
    expect(() => compileQuery({ text, rowsMax: 1 })).not.toThrow(),
  );

  test('each names a function that there is', () => {
    const names = Object.entries(foreignNames).map(([name, call]) => [name, /^\w+/.exec(call)?.[0]] as const);
    const unknown = names.filter(([, own]) => own !== undefined && /Unknown function/.test(messageOf(own)));
    expect(unknown).toEqual([]);
  });
});

function messageOf(name: string): string {
  try {
    compiles(`${name}()`);
  } catch (error) {
    return String(error);
  }
  return '';
}
