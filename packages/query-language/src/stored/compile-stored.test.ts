import { describe, expect, test } from '@jest/globals';
import { compileQuery, compileStored, type PlaceholderValues, type StoredQuery } from '../compile.ts';
import { parseSelect } from '../parse.ts';
import { schemaOf } from '../testing/schema-of.ts';

const stored = (text: string, values: PlaceholderValues = {}): StoredQuery =>
  compileStored(parseSelect(text), values, text);
const schema = schemaOf({ event: { n: 'Numeric', l: 'List' } });

describe('a statement whose result is stored', () => {
  test.each([
    [
      'has columns of the names in the table, whatever they are called, and no limit',
      'select event, upper(event) as event2, event2, count() from events group by all',
      'SELECT `__t0`.`event` AS `c0`, upper(`__t0`.`event`) AS `c1`, `c1` AS `c2`, count() AS `c3` FROM analytics.events AS `__t0` GROUP BY `c0`, `c1`, `c2`',
    ],
    [
      'keeps its own limit',
      'select event from events limit 3',
      'SELECT `__t0`.`event` AS `c0` FROM analytics.events AS `__t0` LIMIT 3',
    ],
    [
      'names the columns of a set',
      'select event as a from events union all select distinct_id as b from events limit 4',
      '(SELECT `__t0`.`event` AS `c0` FROM analytics.events AS `__t0`) UNION ALL (SELECT `__t1`.`distinct_id` AS `b` FROM analytics.events AS `__t1` LIMIT 4)',
    ],
    [
      'has typed NULL',
      'select null as a union all select null',
      "(SELECT CAST(NULL, 'Nullable(String)') AS `c0`) UNION ALL (SELECT CAST(NULL, 'Nullable(String)') AS `null`)",
    ],
  ])('%s', (_, text, sql) => expect(stored(text).sql).toBe(sql));

  test('keeps times as the engine has them, in the zone of the project too', () => {
    const values = { timeZone: 'America/Los_Angeles' };
    const { sql, columns } = stored('select timestamp, toStartOfHour(timestamp) as h from events', values);
    expect(sql).toBe(
      "SELECT `__t0`.`timestamp` AS `c0`, toStartOfHour(toTimeZone(`__t0`.`timestamp`, 'America/Los_Angeles')) AS `c1` FROM analytics.events AS `__t0`",
    );
    expect(columns).toEqual([
      { name: 'timestamp', column: 'c0', type: { kind: 'datetime', nullable: false } },
      { name: 'h', column: 'c1', type: { kind: 'datetime', nullable: false, zone: 'America/Los_Angeles', digits: -1 } },
    ]);
  });

  test('keeps properties as texts, which are read by their types later, but groups by values', () => {
    const { sql, columns, properties } = stored('select properties.n as n, properties.l as l from events', { schema });
    expect(sql).toBe(
      "SELECT `__t0`.`properties`['n'] AS `c0`, `__t0`.`properties`['l'] AS `c1` FROM analytics.events AS `__t0`",
    );
    expect(columns.map(({ type }) => type)).toEqual([
      { kind: 'text', nullable: true, property: true, learned: 'Numeric' },
      { kind: 'text', nullable: true, property: true, learned: 'List' },
    ]);
    expect(properties).toEqual([
      { owner: 'event', name: 'n', type: 'Numeric' },
      { owner: 'event', name: 'l', type: 'List' },
    ]);
    const [key] = stored('select properties.n as n, count() from events group by n', { schema }).columns;
    expect(key?.type).toEqual({ kind: 'float', nullable: true, learned: 'Numeric' });
    const [text] = stored('select toString(properties.n) as n, count() from events group by n', { schema }).columns;
    expect(text?.type).toEqual({ kind: 'text', nullable: true, property: true, learned: 'Numeric', asText: true });
  });

  test('says when blocks are to be small, and binds values', () => {
    const heavy =
      "select arraySum(arrayMap(x -> length(repeat(event, 100)), range(1000))) from events where event = 'a'";
    expect(compileQuery({ text: heavy, rowsMax: 1 }).sql).toMatch(/ SETTINGS max_block_size = \d+$/);
    expect(stored(heavy).sql).toMatch(/ SETTINGS max_block_size = \d+$/);
    expect(stored(heavy).params).toEqual({ p0: 'a' });
  });

  test.each([
    ['select uniqState(event) as s from events', 'column "s" is the state of an aggregate; finish it'],
    ['select [uniqState(event)] as s from events', 'column "s" holds the state of an aggregate'],
    ['select (1, uniqState(event)) as s from events', 'column "s" holds the state of an aggregate'],
    ['select interval 1 day as i', 'column "i" is an interval; add it to a time'],
    ['select (1, [interval 1 day]) as i', 'column "i" holds an interval'],
    ['select [null] as n', 'column "n" holds nothing but NULL in a list'],
    ['select (1, null) as n', 'column "n" holds nothing but NULL in a list'],
    ['select [] as e', 'column "e" is an empty list without a type'],
    ['select {} as e', 'column "e" holds nothing but NULL'],
    [
      'with 1 as a, (a, a) as b, (b, b) as c, (c, c) as d, (d, d) as e, (e, e) as f, (f, f) as g, (g, g) as h, (h, h) as i, (i, i) as j select j',
      'column "j" has more than 500 parts',
    ],
    ['select 1 as a, interval 1 day as i union all select 2, interval 2 day', 'column "i" is an interval'],
  ])('is refused where no table can hold the values: %s', (text, message) =>
    expect(() => stored(text)).toThrow(
      expect.objectContaining({
        code: 'not_storable',
        message: expect.stringContaining(`cannot be stored: ${message}`),
      }),
    ),
  );

  test('is refused for what a run is refused for', () => {
    expect(() => stored('select {variables.x}')).toThrow(expect.objectContaining({ code: 'unknown_variable' }));
    expect(() => stored('select x from events')).toThrow(expect.objectContaining({ code: 'unknown_column' }));
  });
});
