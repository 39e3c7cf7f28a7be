import { describe, expect, test } from '@jest/globals';
import type { LearnedNames } from '@millrace/query-language/schema/learned-names.ts';
import { checkEndpointQuery, prepareEndpointQuery } from './compile-query.ts';
import type { DeclaredVariable } from '../definition/variables.ts';

const declared = (
  types: Readonly<Record<string, DeclaredVariable['type']>>,
  fallback?: DeclaredVariable['fallback'],
): DeclaredVariable[] => Object.entries(types).map(([name, type]) => ({ name, type, fallback }));
const untyped = (names: string) => declared(Object.fromEntries([...names].map((name) => [name, 'Any'])));
const columnsOf = (sql: string, variables: DeclaredVariable[]): string =>
  checkEndpointQuery(sql, variables, {})
    .columns.map(({ name, type }) => `${name} ${type}`)
    .join(', ');

const long = ` -- ${'long '.repeat(2_000)}\n`;

describe('a query that is run', () => {
  const filterContext = { nowMs: 0, timeZone: 'UTC', testAccounts: [] };
  const rows = { limit: undefined, offset: undefined, rowsMax: 10 };

  test('is not printed again for the same values and page, and is for others', () => {
    const query = prepareEndpointQuery('SELECT {variables.a} AS a', declared({ a: 'String' }), {});
    const first = query.compile({ a: 'x' }, rows, filterContext);
    expect(query.compile({ a: 'x' }, { ...rows }, filterContext)).toBe(first);
    for (const [values, page] of [
      [{ a: 'y' }, rows],
      [{ a: 'x' }, { ...rows, limit: 1 }],
      [{ a: 'x' }, { ...rows, limit: 1, offset: 1 }],
      [{ a: null }, rows],
    ] as const) {
      expect(query.compile(values, page, filterContext)).not.toEqual(first);
    }
  });

  test('is kept only while it is not long', () => {
    const query = prepareEndpointQuery('SELECT {variables.a} AS a', declared({ a: 'String' }), {});
    const long = { a: 'x'.repeat(20_000) };
    expect(query.compile(long, rows, filterContext)).not.toBe(query.compile(long, rows, filterContext));
  });
});

describe('a declared variable that the SQL has only in quotes', () => {
  const check = (sql: string) => () => checkEndpointQuery(sql, declared({ x: 'String' }, 'a'), {});
  test('is refused, with what to write', () => {
    expect(check("SELECT 1 FROM events WHERE event = '{variables.x}'")).toThrow(
      '{variables.x} in quotes is a text. Write {variables.x} without quotes (line 1, column 36)',
    );
    expect(check("SELECT 1 FROM (SELECT event FROM events WHERE event LIKE '%{variables.x}')")).toThrow(
      "Write concat('…', {variables.x}, '…')",
    );
  });

  test.each([
    "SELECT {variables.x}, '{variables.x}'",
    "SELECT '{variables.y}'",
    "SELECT '{variables.x', {variables.x}",
  ])('is not when it is used, or when the text is another one: %s', (sql) => expect(check(sql)).not.toThrow());
});

describe('a query that is about to be saved, with variables of which nothing is known', () => {
  test.each<[string, string, string]>([
    [
      'SELECT event FROM events WHERE event = {variables.a} AND distinct_id = {variables.b} AND properties.plan = {variables.c} LIMIT {variables.n}',
      'abcn',
      'event string',
    ],
    [
      'SELECT dateTrunc({variables.u}, timestamp) AS t, count() AS c FROM events WHERE event = {variables.a} AND distinct_id = {variables.b} AND timestamp >= {variables.s} AND has({variables.l}, event) GROUP BY t LIMIT {variables.n} OFFSET {variables.o}',
      'abslnou',
      't datetime, c integer',
    ],
    [`SELECT event FROM events${long}LIMIT {variables.n}`, 'n', 'event string'],
    [
      'SELECT topK({variables.n})(event) AS k, groupArray({variables.m})(event) AS g FROM events',
      'mn',
      'k array, g array',
    ],
    [
      'WITH {variables.s} AS since SELECT event, {variables.a} AS a FROM events WHERE timestamp >= since LIMIT {variables.n}',
      'asn',
      'event string, a string',
    ],
  ])('has its columns whatever values it wants: %#', (sql, names, columns) => {
    expect(columnsOf(sql, untyped(names))).toBe(columns);
  });

  test('is taken without columns when no sample fits, as for a pattern', () => {
    const sql = "SELECT sequenceMatch({variables.p})(timestamp, event = 'a', event = 'b') AS m FROM events";
    expect(columnsOf(sql, untyped('p'))).toBe('');
    expect(columnsOf(sql, declared({ p: 'String' }))).toBe('');
    expect(columnsOf(sql, declared({ p: 'String' }, '(?1)(?2)'))).not.toBe('');
  });

  test('keeps the types of all properties that it mentions when no sample fits, and of no other', () => {
    const names: LearnedNames = {
      events: [],
      properties: {
        event: ['revenue', 'quantity', 'discount'].map((name) => ({ name, type: 'Numeric' })),
        person: [
          { name: 'vip', type: 'Boolean' },
          { name: 'age', type: null },
        ],
      },
      isComplete: true,
    };
    const sql =
      "SELECT properties.revenue, person.properties.vip, person.properties.age, properties[{variables.k}] FROM events GROUP BY 1, 2, 3, 4 HAVING sequenceMatch({variables.p})(timestamp, event = 'a', event = 'b')";
    const variables = [...declared({ k: 'String' }, 'quantity'), ...declared({ p: 'String' })];
    const { columns, types } = checkEndpointQuery(sql, variables, {}, undefined, { names });
    expect(columns).toEqual([]);
    expect(types).toEqual({ event: { revenue: 'Numeric', quantity: 'Numeric' }, person: { vip: 'Boolean' } });
    const run = prepareEndpointQuery(sql, variables, {}, undefined, { kept: types }).compile(
      { k: 'quantity', p: '(?1)(?2)' },
      { limit: undefined, offset: undefined, rowsMax: 10 },
      { nowMs: 0, timeZone: 'UTC', testAccounts: [] },
      names,
    );
    expect(run.columns.map(({ type }) => type)).toEqual(['float', 'boolean', 'string', 'float']);
  });

  test.each<[string, string, DeclaredVariable[]]>([
    ['too many arguments, whatever they are', 'SELECT lower({variables.a}, {variables.b}) FROM events', untyped('ab')],
    ['a default that does not fit', 'SELECT event FROM events LIMIT {variables.n}', declared({ n: 'String' }, 'x')],
    ['a limit that is no variable', "SELECT event FROM events WHERE event = {variables.a} LIMIT 'x'", untyped('a')],
    [
      'an unknown name behind a variable that wants a number',
      'SELECT event FROM (SELECT event FROM events LIMIT {variables.n}) WHERE evnt = 1',
      untyped('n'),
    ],
    ['a type that is wrong without any variable', 'SELECT toDate(1, 2, 3) FROM events', []],
  ])('is refused for %s', (_, sql, variables) => {
    expect(() => checkEndpointQuery(sql, variables, {})).toThrow(
      expect.objectContaining({ status: 400, details: expect.objectContaining({ attr: 'query' }) }),
    );
  });

  test('is checked in a time that its length bounds, however many variables it has', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `v${index}`);
    const sql = `SELECT event FROM events WHERE ${names.map((name) => `timestamp > {variables.${name}}`).join(' AND ')}`;
    const began = performance.now();
    expect(
      checkEndpointQuery(sql, declared(Object.fromEntries(names.map((name) => [name, 'Any']))), {}).columns,
    ).toEqual([]);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
