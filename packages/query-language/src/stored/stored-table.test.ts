import { describe, expect, test } from '@jest/globals';
import {
  compileQuery,
  compileStored,
  prepareQuery,
  prepareStatement,
  type CompiledQuery,
  type PlaceholderValues,
} from '../compile.ts';
import { parseSelect } from '../parse.ts';
import { QueryError } from '../query-error.ts';
import { schemaOf } from '../testing/schema-of.ts';
import { plain, propertyType, type ValueType } from '../types.ts';
import type { StoredTable } from './stored-table.ts';

const tableOf = (types: Readonly<Record<string, ValueType>>, view = 'shop_v1'): StoredTable => ({
  view,
  columns: Object.entries(types).map(([name, type], at) => ({ name, column: `c${at}`, type })),
});
const table = tableOf({ event: plain('text'), plan: propertyType, total: plain('integer') });
const read = (text: string, stored: Readonly<Record<string, StoredTable>> = { shop: table }, more = {}) =>
  prepareStatement(parseSelect(text)).print({ ...more, stored }, { rowsMax: 10 });
/** The names of columns and the places of warnings are those of the text. */
const printed = ({ sql, params, timeTypes, columns, warnings }: CompiledQuery) => ({
  sql,
  params,
  timeTypes,
  types: columns.map(({ type }) => type),
  warnings: warnings.map(({ code, message }) => [code, message]),
});
const errorOf = (work: () => unknown): Pick<QueryError, 'code' | 'message'> | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { code: error.code, message: error.message };
  }
};

describe('a stored result is read as a table', () => {
  test.each([
    [
      'columns by their names, values as they were',
      'select event, total from shop where plan = 5 order by plan',
      'SELECT `__t0`.`c0` AS `event`, `__t0`.`c2` AS `total` FROM materialized.`shop_v1` AS `__t0` WHERE equals(toFloat64OrNull(`__t0`.`c1`), 5) ORDER BY toFloat64OrNull(`__t0`.`c1`) ASC, `__t0`.`c1` ASC LIMIT 11',
    ],
    [
      'all columns',
      'select * from shop as s limit 3',
      'SELECT `__t0`.`c0` AS `event`, `__t0`.`c1` AS `plan`, `__t0`.`c2` AS `total` FROM materialized.`shop_v1` AS `__t0` LIMIT 3',
    ],
    [
      'groups of rows',
      'select event, sum(total) as total from shop group by event',
      'SELECT `__t0`.`c0` AS `event`, sum(`__t0`.`c2`) AS `total` FROM materialized.`shop_v1` AS `__t0` GROUP BY `__t0`.`c0` LIMIT 11',
    ],
    [
      'a side of an outer join, with columns of any order',
      'select s.total, s.plan, s.event from events left join shop as s on s.total = 1',
      'SELECT `__t1`.`__n0` AS `total`, `__t1`.`__n1` AS `plan`, `__t1`.`__n2` AS `event` FROM analytics.events AS `__t0` LEFT JOIN (SELECT toNullable(`c2`) AS `__n0`, toNullable(`c1`) AS `__n1`, toNullable(`c0`) AS `__n2` FROM materialized.`shop_v1`) AS `__t1` ON equals(`__t1`.`__n0`, 1) LIMIT 11',
    ],
  ])('%s', (_, text, sql) => expect(read(text).sql).toBe(sql));

  test('under its name before any other table or CTE of the name, and nothing else is', () => {
    expect(read('with shop as (select 1 as event) select event from shop').sql).toContain('materialized.`shop_v1`');
    expect(read('select event from events', { events: table }).sql).toContain('materialized.`shop_v1`');
    expect(errorOf(() => read('select event from shop_v1'))?.code).toBe('unknown_table');
    expect(errorOf(() => read('select event from materialized.shop'))?.code).toBe('unknown_table');
    expect(errorOf(() => read('select c0 from shop'))).toEqual({
      code: 'unknown_column',
      message: expect.stringContaining('Unknown column "c0"'),
    });
    expect(errorOf(() => read('select event from __proto__', {}))?.code).toBe('unknown_table');
  });

  test('a column of nothing but NULL is NULL', () => {
    expect(
      read('select x, coalesce(x, 1) as y from t where x is null', { t: tableOf({ x: plain('null', true) }) }).sql,
    ).toBe(
      'SELECT NULL AS `x`, coalesce(NULL, 1) AS `y` FROM materialized.`shop_v1` AS `__t0` WHERE isNull(NULL) LIMIT 11',
    );
  });

  test('columns of one name are ambiguous', () => {
    const twice = { ...table, columns: table.columns.map((column) => ({ ...column, name: 'event' })) };
    expect(errorOf(() => read('select event from t', { t: twice }))?.code).toBe('ambiguous_column');
  });

  test('but never by a text, whatever its run is given', () => {
    const values: PlaceholderValues & { stored: object } = { stored: { shop: table } };
    expect(errorOf(() => prepareQuery('select event from shop').print(values, { rowsMax: 1 }))?.code).toBe(
      'unknown_table',
    );
    expect(errorOf(() => compileQuery({ text: 'select event from shop', ...values, rowsMax: 1 }))?.code).toBe(
      'unknown_table',
    );
    expect(errorOf(() => prepareQuery('explain select event from shop').print(values, { rowsMax: 1 }))?.code).toBe(
      'unknown_table',
    );
    expect(errorOf(() => compileStored(parseSelect('select event from shop'), values))?.code).toBe('unknown_table');
  });

  test.each(['x`; drop', 'a.b', '', '1x', 'é', `v${'x'.repeat(200)}`])('no view is named %p', (view) =>
    expect(() => read('select 1 from t', { t: { ...table, view } })).toThrow('The name of a view'),
  );

  test.each(['event', 'c', 'c`', 'c0 ', 'C0', 'c00000'])('no stored column is named %p', (column) =>
    expect(() =>
      read('select 1 from t', { t: { view: 'v', columns: [{ name: 'a', column, type: plain('text') }] } }),
    ).toThrow('A stored column'),
  );
});

// Every way to use a property prints the same on the stored column as on the property itself.
const uses = [
  ...['=', '!=', '<', '<=', '>', '>=', 'like', 'not like', 'ilike', 'not ilike', '=~', '!~'].flatMap((op) =>
    ['text', 'digits', 'day', 'n', 'fraction', 'b', 'when', 'none'].map((value) => `@ ${op} {variables.${value}}`),
  ),
  '{variables.n} < @',
  '@ between {variables.n} and 7',
  '@ in {variables.list}',
  "@ in ('a', 'b')",
  '@ not in (1, 2.5)',
  '@ is null',
  '@ is not null',
  '@ is not distinct from {variables.text}',
  'coalesce(@, {variables.text}) = {variables.text}',
  'toString(@)',
  'toFloat(@) + 1',
  '@ + 1',
  '@ * {variables.fraction}',
  'lower(@)',
  "concat(@, '!')",
  'length(@)',
  'toDate(@)',
  'toStartOfDay(toDateTime(@))',
  'if(@, 1, 2)',
  'not @',
  '@ and true',
  '@.inner.path',
  'JSONExtractString(@, 1)',
  'has(@, 1)',
  'max(@)',
  'sum(@)',
  'countIf(@ > {variables.n})',
  'uniq(@)',
  'groupArray(@)',
  'argMax(event, @)',
  'quantile(0.5)(@)',
  "dateDiff('day', toDateTime(@), toDateTime('2026-01-01'))",
  "splitByChar(',', @)",
  "@ in splitByChar(',', {variables.text})",
];
const templates = [
  ...uses.map((use) => `select ${use} as v from $`),
  ...uses
    .filter((use) => !/^(?:max|sum|countIf|uniq|groupArray|argMax|quantile)\(/.test(use))
    .map((use) => `select count() from $ where ${use}`),
  'select @ as v from $ order by v',
  'select @ as v, event from $ order by @ desc, event limit 5',
  'select @ as v, count() as n from $ group by v having n > 1 order by v desc nulls last',
  'select distinct @ as v from $',
  'select event from $ order by event limit 2 by @',
  'select event, row_number() over (partition by @ order by @ desc) from $',
];
const variables = {
  text: 'abc',
  digits: '007',
  day: '2026-03-01',
  n: 5,
  fraction: 2.5,
  b: true,
  when: new Date('2026-03-01T10:00:00Z'),
  none: null,
  list: ['a', 'b'],
};

describe.each(['Numeric', 'Boolean', 'DateTime', 'List', 'String', null] as const)(
  'a stored property of type %s',
  (type) => {
    test.each(['UTC', 'America/Los_Angeles'])('prints as the property itself, in %s', (timeZone) => {
      const values = { variables, timeZone, schema: schemaOf({ event: { p: type } }) };
      const { view, columns } = {
        view: 'v',
        ...compileStored(parseSelect('select properties.p as p, event from events'), values),
      };
      const kept = { view, columns: JSON.parse(JSON.stringify(columns)) as typeof columns };
      let compiled = 0;
      for (const template of templates) {
        const [live, stored] = [
          template.replaceAll('@', 'properties.p').replace('$', 'events'),
          template.replaceAll('@', 'p').replace('$', 't'),
        ];
        const expected = errorOf(() => prepareStatement(parseSelect(live)).print(values, { rowsMax: 10 }));
        const found = errorOf(() => read(stored, { t: kept }, values));
        expect([template, found?.code]).toEqual([template, expected?.code]);
        if (expected) continue;
        compiled += 1;
        const [wanted, given] = [
          printed(prepareStatement(parseSelect(live)).print(values, { rowsMax: 10 })),
          printed(read(stored, { t: kept }, values)),
        ];
        const sql = wanted.sql
          .replaceAll("`__t0`.`properties`['p']", '`__t0`.`c0`')
          .replaceAll('`__t0`.`event`', '`__t0`.`c1`')
          .replace('analytics.events', 'materialized.`v`');
        expect([template, given]).toEqual([template, { ...wanted, sql }]);
      }
      expect(compiled).toBeGreaterThan(230);
    });
  },
);
