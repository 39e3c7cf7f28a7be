import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../compile.ts';
import { withTimeTypes } from './shown-times.ts';

const compiled = (text: string, timeZone?: string) => compileQuery({ text, rowsMax: 1, ...(timeZone && { timeZone }) });

describe('times in results', () => {
  test('are left to the engine where they are of UTC', () => {
    const { sql, timeTypes } = compiled("select timestamp, toStartOfDay(timestamp, 'UTC'), now() from events");
    expect([timeTypes, sql.includes('formatDateTime'), sql.startsWith('SELECT `__t0`')]).toEqual([
      undefined,
      false,
      true,
    ]);
  });

  test('of another zone are texts of the outermost SELECT, so that what sorts and filters has times', () => {
    const text = 'select timestamp, event from events order by timestamp desc';
    const { sql, timeTypes } = compiled(text, 'America/Los_Angeles');
    const [, inner] =
      /^SELECT if\(.+\) AS `timestamp`, `__r`\.`event` AS `event` FROM \((.+)\) AS `__r`$/.exec(sql) ?? [];
    expect(inner).toBe(compiled(text).sql);
    expect(timeTypes).toEqual(["DateTime64(6, 'America/Los_Angeles')", undefined]);
  });

  test.each([
    ['a zone that the query names', "toTimeZone(timestamp, 'Asia/Tokyo')", "DateTime64(6, 'Asia/Tokyo')"],
    ['a zone that a function is given', "toStartOfHour(timestamp, 'Asia/Tokyo')", "DateTime('Asia/Tokyo')"],
    ['digits', "toDateTime64(toTimeZone(timestamp, 'Asia/Tokyo'), 3)", "DateTime64(3, 'Asia/Tokyo')"],
    ['an array', "groupArray(toTimeZone(timestamp, 'Asia/Tokyo'))", ["DateTime64(6, 'Asia/Tokyo')"]],
    [
      'what is nested',
      "groupArray((event, [toTimeZone(timestamp, 'Asia/Tokyo')]))",
      [[undefined, ["DateTime64(6, 'Asia/Tokyo')"]]],
    ],
    ['a map', "any(map('a', toTimeZone(timestamp, 'Asia/Tokyo')))", [undefined, "DateTime64(6, 'Asia/Tokyo')"]],
    ['UTC by name', "toTimeZone(timestamp, 'UTC')", undefined],
    [
      'two zones, which are none',
      "if(event = 'a', toTimeZone(timestamp, 'Asia/Tokyo'), toTimeZone(timestamp, 'Asia/Seoul'))",
      undefined,
    ],
  ])('%s', (_, expr, types) => expect(compiled(`select ${expr} as t from events`).timeTypes?.[0]).toEqual(types));
});

test('looking for the offsets of many zones is charged to the query', () => {
  const times = Intl.supportedValuesOf('timeZone').map((zone, at) => `toTimeZone(timestamp, '${zone}') as t${at}`);
  expect(compiled(`select ${times.slice(0, 30).join(', ')} from events`).timeTypes).toHaveLength(30);
  expect(() => compiled(`select ${times.slice(0, 60).join(', ')} from events`)).toThrow(/too large to compile/);
});

test('what shows them counts as a part of the SQL that is sent', () => {
  const times = Array.from({ length: 600 }, (_, at) => `timestamp as t${at}`);
  const text = `select ${times.join(', ')} from events`;
  expect(compiled(text).columns).toHaveLength(600);
  expect(() => compiled(text, 'America/Los_Angeles')).toThrow(/more than 250000 characters/);
});

describe('the types of columns', () => {
  test.each([
    ['String', undefined, 'String'],
    ['String', "DateTime('Asia/Tokyo')", "DateTime('Asia/Tokyo')"],
    ['Nullable(String)', "DateTime('Asia/Tokyo')", "Nullable(DateTime('Asia/Tokyo'))"],
    ['Array(Nullable(String))', ["DateTime('Asia/Tokyo')"], "Array(Nullable(DateTime('Asia/Tokyo')))"],
    [
      "Array(Tuple(Enum8('a, (b' = 1), String, Map(String, Nullable(String))))",
      [[undefined, "DateTime('Asia/Tokyo')", [undefined, "DateTime64(6, 'Asia/Tokyo')"]]],
      "Array(Tuple(Enum8('a, (b' = 1), DateTime('Asia/Tokyo'), Map(String, Nullable(DateTime64(6, 'Asia/Tokyo')))))",
    ],
    ['Decimal(38, 10)', undefined, 'Decimal(38, 10)'],
  ])('%s', (engine, types, shown) => expect(withTimeTypes(engine, types)).toBe(shown));
});
