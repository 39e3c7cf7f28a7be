import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { compileQuery } from './compile.ts';
import { schemaOf } from './testing/schema-of.ts';
import { warningCodes } from './warnings.ts';

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
    ['select now() + -7, now() - -7 from events', ['seconds -7', 'seconds -7']],
    [
      "select 1 from events where timestamp > toDateTime('yesterday') or toDate('soon') is null",
      ["no_time 'yesterday'", "no_time 'soon'"],
    ],
    [
      "select toDate('2026-02-30'), toDateTime('2026-13-01 10:00:00'), '2026-06-31'::date",
      ["no_time '2026-02-30'", "no_time '2026-13-01 10:00:00'", "no_time '2026-06-31'"],
    ],
    [
      "select 1 from events where person_id = 5 or person_id is distinct from 'a' or (person_id, event) in (('b', 'c'))",
      ['no_uuid 5', "no_uuid 'a'", "no_uuid 'b'"],
    ],
    [
      "select case person_id when 'a' then 1 end, has(groupArray(person_id), 'b'), 'c' in groupArray(person_id), toUUID('d') from events group by person_id",
      ["no_uuid 'a'", "no_uuid 'b'", "no_uuid 'c'", "no_uuid 'd'"],
    ],
    [
      "select 1 from events where toDate(timestamp) = '2026-03-01 10:00:00' or toDate(timestamp) not in ('2026-03-01', '2026-03-02 00:00:01')",
      ["no_date '2026-03-01 10:00:00'", "no_date '2026-03-02 00:00:01'"],
    ],
    [
      "select 1 from events where properties.revenue > '100' or properties.a.b <= ' 9.5' or '-1' >= properties.n",
      ["text_order '100'", "text_order ' 9.5'", "text_order '-1'"],
    ],
    [
      "select properties.n as n from events where n between '10' and '50' order by less(n, '5')",
      ["text_order '10'", "text_order '50'", "text_order '5'"],
    ],
    [
      "select upper(event) as event, count() from events where event = 'paid' and events.event != '' group by event",
      ['hidden_column event'],
    ],
    [
      "select toDate(t.timestamp) as timestamp, properties.event as event from events t prewhere timestamp > '2026-03-01' where event = 'a'",
      ['hidden_column timestamp', 'hidden_column event'],
    ],
    ["select x from (select lower(event) as event, 1 as x from events where event = 'a')", ['hidden_column event']],
    [
      "select 1 from events where timestamp = '2026-11-20' or timestamp in ('2026-11-20', now()) or timestamp != today() or person.created_at = toDate(timestamp)",
      ["midnight '2026-11-20'", "midnight '2026-11-20'", 'midnight today()', 'midnight toDate(timestamp)'],
    ],
    [
      'select 1 from events e join persons p on p.id = e.distinct_id where e.person_id = distinct_id or person_id in (select distinct_id from events)',
      [
        'person_distinct_id p.id = e.distinct_id',
        'person_distinct_id e.person_id = distinct_id',
        'person_distinct_id person_id in (select distinct_id',
      ],
    ],
    [
      "select properties.tags[0], properties.tags.0, splitByChar(',', event)[0], arrayElement([1], 0), properties.a?.[0] from events",
      ['place_zero 0', 'place_zero properties.tags.0', 'place_zero 0', 'place_zero 0', 'place_zero 0'],
    ],
    [
      "select formatDateTime(timestamp, 'YYYY-MM'), date_format(timestamp, 'yyyy-MM-dd'), format('%s', event), parseDateTime(event, 'DD.MM.YYYY') from events",
      ["no_pattern 'YYYY-MM'", "no_pattern 'yyyy-MM-dd'", "no_pattern '%s'", "no_pattern 'DD.MM.YYYY'"],
    ],
    [
      "select toDateTime('01/02/2026'), toDate('1-2-26'), '01/02/2026 10:00'::date, toDateTime('10:00'), toDate('12/31'), toDateTime('03/04/2026', 'UTC')",
      [
        "guessed_date '01/02/2026'",
        "guessed_date '1-2-26'",
        "guessed_date '01/02/2026 10:00'",
        "guessed_date '10:00'",
        "guessed_date '12/31'",
        "guessed_date '03/04/2026'",
      ],
    ],
    [
      'select toDate(2026-11-01) from events where properties.day >= 2026-1-31',
      ['unquoted_date 2026-11-01', 'unquoted_date 2026-1-31'],
    ],
    [
      "select 1 from events where event = '{variables.x}' or event like '%{variables.x}%' or event = '{filters}'",
      ["quoted_placeholder '{variables.x}'", "quoted_placeholder '%{variables.x}%'", "quoted_placeholder '{filters}'"],
    ],
    [
      "select fromUnixTimestamp(1793491200000), toDateTime(1793491200000), 1793491200000::date, toDateTime(1793491200000000, 'UTC')",
      [
        'milliseconds 1793491200000',
        'milliseconds 1793491200000',
        'milliseconds 1793491200000',
        'milliseconds 1793491200000000',
      ],
    ],
  ])('%s', (text, expected) => expect(warningsOf(text, { x: 'a' })).toEqual(expected));

  test('say how a variable becomes a number: the caller of a run has no quotes', () => {
    const messageOf = (name: string, values: object) =>
      compileQuery({ text: `select 1 from events where properties.n > {${name}}`, ...values, rowsMax: 1 }).warnings[0]
        ?.message;
    expect(messageOf('variables.min', { variables: { min: '100' } })).toContain(
      'To compare numbers declare the variable min with type Number',
    );
    expect(messageOf('min', { values: { min: '100' } })).toContain('write a number as min in query.values');
  });

  test.each([
    ['event = {variables.x}', ['null_variable {variables.x}']],
    [
      "'a' != {variables.x} or properties.n > {variables.x}",
      ['null_variable {variables.x}', 'null_variable {variables.x}'],
    ],
    [
      "event in ('a', {variables.x}) or event like {variables.x}",
      ['null_variable {variables.x}', 'null_variable {variables.x}'],
    ],
    ['event in {variables.x}', ['null_variable {variables.x}']],
    ['{variables.x} is null or event = {variables.x}', []],
    ["coalesce({variables.x}, '') = '' or event = {variables.x}", []],
    ['event = NULL or event is distinct from {variables.x}', []],
  ])('of a variable that is null, where the query does not expect it: %s', (where, expected) =>
    expect(warningsOf(`select 1 from events where ${where}`, { x: null })).toEqual(expected),
  );

  test('a number in milliseconds is told how to be written', () => {
    const messageOf = (text: string): string | undefined => compileQuery({ text, rowsMax: 1 }).warnings[0]?.message;
    expect(messageOf('select fromUnixTimestamp(1793491200000)')).toContain('fromUnixTimestamp64Milli(1793491200000)');
    expect(messageOf('select toDateTime(1793491200000000)')).toContain('fromUnixTimestamp(1793491200000000 / 1000000)');
  });

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
    "select 1 from events where toDate(timestamp) >= '2026-03-01 10:00:00' or toDate(timestamp) in ('2026-03-01', '2026-03-02 00:00:00') or toDate('2026-02-28') > toDate('5 Jan 2026')",
    "select now() - interval 7 day, today() - 7, now() - 86400, toDateTime('Jan 5 2026'), timestamp - timestamp from events",
    "select 1 from events where properties.revenue = '100' or properties.n > 100 or properties.n in ('1', '2') or properties.n != '5'",
    "select 1 from events where properties.version >= '1.10.2' or properties.zip < '01234' or properties.day > '20260131' or toString(properties.n) > '5' or distinct_id > '5'",
    "select event as event, e.distinct_id as distinct_id, toString(person_id) as person_id, any(timestamp) as timestamp from events e where event = 'a' and distinct_id = 'b' and person_id != '' and timestamp > '2026-03-01' group by all",
    "select upper(event) as name, lower(distinct_id) as distinct_id from events where name = 'A' and event = 'a' group by name, distinct_id having distinct_id = 'x' order by distinct_id",
    "select toDate(timestamp) as timestamp from events where timestamp >= '2026-03-01' and timestamp < today()",
    "select 1 from events where timestamp = '2026-11-20 00:00:00' or toDate(timestamp) = '2026-11-20' or timestamp >= '2026-11-20' or toStartOfDay(timestamp) = '2026-11-20' or toStartOfHour(timestamp) in ('2026-11-20', '2026-11-21')",
    "select 1 from (select toStartOfDay(timestamp) as timestamp from events) where timestamp = '2026-11-20'",
    'select 1 from events e join persons p on p.id = e.person_id join person_distinct_ids d on d.person_id = p.id and d.distinct_id = e.distinct_id where toString(p.id) = e.distinct_id or uuid = e.distinct_id',
    'select fromUnixTimestamp(1793491200), toDateTime(1793491200), fromUnixTimestamp64Milli(1793491200000), toInt(1793491200000)',
    "select properties.tags[1], properties.tags.-1, properties->'tags'->0, properties.n[1][2], properties['0'], [1, 2][length([0])] from events",
    "select formatDateTime(timestamp, '%Y'), to_char(timestamp, '\"Q\"'), format('{}', event), format(event, event), parseDateTime(event, '%Y') from events",
    "select toDate('30/11/2026'), toDate('11/30/2026'), toDate('1.2.2026'), toDate('02/02/2026'), toDate('20260102'), toDate('5 Jan 2026'), toDate('2026/01/02')",
    "select {variables.x}, '{x}', '{}', '{\"variables\": 1}', concat('%', {variables.x}, '%') from events",
    'select 2026 - 11 - 01, (2026)-11-01, 2026-13-01, 5-3-1',
  ])('none of %s', (text) => expect(warningsOf(text, { x: '{variables.x}' })).toEqual([]));

  test('of numbers in quotes go by what the project has learned', () => {
    const schema = schemaOf({ event: { amount: 'Numeric', zip: 'String', at: 'DateTime', new: null } });
    const text =
      "select 1 from events where properties.amount > '1' or properties.zip > '2' or properties.at > '3' or properties.new > '4'";
    const found = compileQuery({ text, schema, rowsMax: 1 }).warnings.map(({ start, end }) => text.slice(start, end));
    expect(found).toEqual(["'1'", "'4'"]);
    const read = "select 1 from (select properties.amount as n from events limit 5) where n > '100'";
    expect(compileQuery({ text: read, schema, rowsMax: 1 }).warnings.length).toBe(1);
  });

  test("know the project's midnight", () => {
    const text = 'select 1 from events where toDate(timestamp) = {variables.day}';
    const codes = (day: string) =>
      compileQuery({ text, variables: { day }, timeZone: 'Europe/Berlin', rowsMax: 1 }).warnings.map(
        ({ code }) => code,
      );
    expect([codes('2026-03-01 00:00:00'), codes('2026-03-01 00:00:00Z')]).toEqual([[], ['no_date']]);
  });

  test('say how the hidden column is written', () => {
    const messageOf = (text: string) => compileQuery({ text, rowsMax: 1 }).warnings[0]?.message;
    expect(messageOf("select upper(event) as event from events e where event = 'a'")).toContain('write e.event, or');
    expect(messageOf("select upper(event) as event from (select event from events) where event = 'a'")).toContain(
      'the column; give the alias another name',
    );
  });

  test.each([
    ["event = '{variables.x}'", '{variables.x} in quotes is a text. Write {variables.x} without quotes'],
    ["event like '%{variables.x}%'", "Write concat('…', {variables.x}, '…')"],
    ["formatDateTime(timestamp, 'YYYY-MM')", "write '%Y-%m'"],
    ["formatDateTime(timestamp, 'yyyy-MM-dd HH:mm:ss')", "write '%Y-%m-%d %H:%i:%S'"],
    ["formatDateTime(timestamp, 'Month')", "write '%Y-%m-%d %H:%i:%S'"],
    ["format('%s', event)", "write format('{}', x)"],
    ["toDate('01/02/2026')", 'day 1 of month 2'],
  ])('say what to write: %s', (call, words) =>
    expect(compileQuery({ text: `select ${call} from events`, rowsMax: 1 }).warnings[0]?.message).toContain(words),
  );

  test('are those of the query that EXPLAIN is about', () =>
    expect(warningsOf("explain select 1 from events where person_id = 'user_5'")).toEqual(["no_uuid 'user_5'"]));

  test('are at most twenty, with short quotations', () => {
    const where = Array.from({ length: 30 }, (_, n) => `person_id = '${'x'.repeat(100)}${n}'`).join(' or ');
    const { warnings } = compileQuery({ text: `select 1 from events where ${where}`, rowsMax: 1 });
    expect([warnings.length, warnings[0]?.message.length]).toEqual([20, expect.any(Number)]);
    expect(warnings[0]?.message.length).toBeLessThan(130);
  });

  test('each code is in the table of docs/endpoints.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/endpoints.md'), 'utf8');
    expect(Object.keys(warningCodes).filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([]);
  });
});
