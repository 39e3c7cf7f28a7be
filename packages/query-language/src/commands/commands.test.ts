import { describe, expect, test } from '@jest/globals';
import { compileQuery, prepareQuery } from '../compile.ts';
import { logicalTables } from '../schema/logical-schema.ts';
import { ordinaryStatements } from '../testing/ordinary-corpus.ts';
import { corpus, corpusValues } from '../testing/corpus.ts';
import { schemaOf, type LearnedTypes } from '../testing/schema-of.ts';
import { plain, type ValueType } from '../types.ts';
import { typeName } from './type-name.ts';

const compiled = (text: string) => compileQuery({ text, ...corpusValues, rowsMax: 1_000 });
const lists = (text: string): string[][] =>
  Object.values(compiled(text).params).filter((list) => Array.isArray(list)) as string[][];
const planOf = (text: string): string[] => lists(`explain ${text}`)[0] ?? [];

describe('SHOW TABLES', () => {
  test('names every table that a query may name, with a line about each', () => {
    const { columns } = compiled('show tables');
    expect(columns).toEqual([
      { name: 'name', type: 'string' },
      { name: 'comment', type: 'string' },
    ]);
    const [names = [], comments = []] = lists('show tables');
    expect(names).toEqual([...logicalTables.keys()]);
    expect(comments.every((comment) => comment.length > 10)).toBe(true);
  });

  test('takes a pattern, which is a value', () =>
    expect(compiled("SHOW TABLES ILIKE 'P%'").sql).toContain('WHERE ilike(`__a1`, {p0:String})'));
});

describe('DESCRIBE', () => {
  test('names each column as a query writes it, and nothing that is stored under another name', () => {
    const [names = [], types = [], inStar = []] = lists('describe events');
    expect(names.slice(0, 3)).toEqual(['uuid', 'event', 'properties']);
    expect(types.slice(0, 3)).toEqual(['UUID', 'String', 'JSON']);
    expect(names).toContain('person.properties');
    expect(
      names.filter((name) => /team_id|_text$|inserted_at|person_properties|version|ai_trace_id/.test(name)),
    ).toEqual([]);
    expect(inStar[names.indexOf('elements_chain_href')]).toBe(false);
  });

  test.each([...logicalTables.keys()])('%s: every name that it shows can be selected', (table) => {
    const [names = []] = lists(`describe ${table}`);
    for (const name of names) expect(() => compiled(`select ${name} from ${table}`)).not.toThrow();
    const star = compiled(`select * from ${table}`).columns.map(({ name }) => name);
    const [, , inStar = []] = lists(`describe ${table}`);
    expect(names.filter((_, at) => inStar[at] as unknown as boolean)).toEqual(star);
  });

  test('of a query names its columns and their types', () =>
    expect(
      lists("describe (select event, count() as n, properties.plan, [(1, 'a')] as l, now() from events group by all)"),
    ).toEqual([
      ['event', 'n', 'plan', 'l', 'now()'],
      ['String', 'Int64', 'Nullable(String)', 'Array(Tuple(Int64, String))', 'DateTime'],
    ]));

  describe('of a table whose properties are learned', () => {
    const described = (table: string, types: LearnedTypes): string[][] =>
      Object.values(compileQuery({ text: `describe ${table}`, schema: schemaOf(types), rowsMax: 2_000 }).params).slice(
        0,
        2,
      ) as string[][];
    const event = {
      revenue: 'Numeric',
      gift: 'Boolean',
      at: 'DateTime',
      tags: 'List',
      'a b': null,
      $os: 'String',
    } as const;

    test('they come after the columns, by name, as a query writes them', () => {
      const [names = [], types = []] = described('events', { event, person: { email: 'String' } });
      const first = names.indexOf('properties.$os');
      expect(names.slice(first)).toEqual([
        'properties.$os',
        'properties.`a b`',
        'properties.at',
        'properties.gift',
        'properties.revenue',
        'properties.tags',
      ]);
      expect(types.slice(first)).toEqual([
        'Nullable(String)',
        'Nullable(String)',
        'Nullable(DateTime)',
        'Nullable(Bool)',
        'Nullable(Float64)',
        'Array(Dynamic)',
      ]);
      expect(described('persons', { event, person: { email: 'String' } })[0]?.at(-1)).toBe('properties.email');
      expect(described('groups', { event, group_0: { name: 'String' } })).toEqual(described('groups', {}));
    });

    test('ids of calls of language models are texts, whatever was learned of them', () => {
      const [names = [], types = []] = described('events', {
        event: { $ai_trace_id: 'Numeric', $ai_latency: 'Numeric' },
      });
      expect([names.slice(-2), types.slice(-2)]).toEqual([
        ['properties.$ai_latency', 'properties.$ai_trace_id'],
        ['Nullable(Float64)', 'Nullable(String)'],
      ]);
    });

    test('every name can be selected, whatever it is', () => {
      const odd = ['a b', "it's", 'back`tick', String.raw`back\slash`, 'ünï 🦀', '<b>', '1st', 'select', 'new\nline'];
      const [names = []] = described('events', { event: Object.fromEntries(odd.map((name) => [name, 'Numeric'])) });
      const own = names.filter((name) => name.startsWith('properties') && name !== 'properties');
      expect(own.length).toBe(odd.length - 1);
      for (const name of own) {
        const { properties } = compileQuery({ text: `select ${name} from events`, rowsMax: 1 });
        expect(odd).toContain(properties[0]?.name);
      }
    });

    test('the first 1,000, fewer when their names are long, and a row that says how many more there are', () => {
      const named = (count: number, rest: string) =>
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${String(n).padStart(5, '0')}${rest}`, null]));
      const [names = []] = described('events', { event: named(2_500, '') });
      expect(names.slice(-2)).toEqual(['properties.p00999', '… 1500 more properties']);
      const [long = [], types = []] = described('events', { event: named(2_500, 'ü'.repeat(60)) });
      expect(long.at(-1)).toMatch(/^… 2\d{3} more properties$/);
      expect(
        new URLSearchParams({ names: JSON.stringify(long), types: JSON.stringify(types) }).toString().length,
      ).toBeLessThan(100_000);
    });
  });

  test('a type that is made of itself over and over has a short name', () => {
    let type: ValueType = plain('integer');
    for (let level = 0; level < 60; level += 1) type = { kind: 'tuple', nullable: false, items: [type, type] };
    expect(typeName(type).length).toBeLessThan(400);
  });
});

describe('EXPLAIN', () => {
  test("lists the steps from the last to the first in the author's words", () =>
    expect(
      planOf(
        "select event, count() as n from events where timestamp >= '2026-01-01' and properties.plan = 'pro' group by event having n > 1 order by n desc limit 10",
      ),
    ).toEqual([
      'Limit 10',
      '  Sort by n DESC',
      '    Keep groups: n > 1',
      '      Group by event: count()',
      "        Filter timestamp >= '2026-01-01' and properties.plan = 'pro'",
      '          Read events: event, timestamp, properties.plan',
      "            Days: timestamp >= '2026-01-01'",
    ]));

  test('lists joins, sub-queries, WITH and lookups', () =>
    expect(
      planOf(
        'with r as (select person_id from events) select p.properties.email, e.n from r join persons p on p.id = r.person_id left join (select distinct_id, count() as n from events group by 1) e on true where p.id in (select id from persons)',
      ),
    ).toEqual([
      'Filter p.id in (select id from persons)',
      '  Left join on true',
      '    Inner join on p.id = r.person_id',
      '      Read r',
      '      Read persons as p: properties.email, id',
      '    Sub-query e',
      '      Group by distinct_id: count()',
      '        Read events: distinct_id',
      '  Sub-query',
      '    Read persons: id',
      'WITH r',
      '  Read events: person_id',
      '    Looked up for each row: person_id',
    ]));

  test.each([
    ['select 1', ['One row']],
    ['select event from events', ['Read events: event', '  Days: all']],
    [
      "select event from events where toDate(timestamp) = '2026-01-01'",
      ["Filter toDate(timestamp) = '2026-01-01'", '  Read events: event, timestamp'],
    ],
    [
      'select * from sessions limit 1',
      [
        'Limit 1',
        expect.stringMatching(/^ {2}Read sessions: session_id, /),
        '    Days: all, as sessions are computed from their events',
      ],
    ],
    [
      'select event, count() from events group by all order by all',
      ['Sort by event, count()', '  Group by event: count()', '    Read events: event', '      Days: all'],
    ],
    ['select event from events where {filters}', ['Filter {filters}', '  Read events: event']],
    [
      'select properties.plan from events order by 1',
      ['Sort by plan', '  Read events: properties.plan', '    Days: all'],
    ],
    ['(select 1 union all select 2) limit 3', ['Limit 3', '  UNION ALL', '    One row', '    One row']],
    [
      'select a from events array join [1, 2] as a qualify row_number() over (order by a) = 1',
      [
        'Keep row_number() over (order by a) = 1',
        '  Windows: row_number() over (order by a)',
        '    Array join [1, 2]',
        '      Read events',
        '        Days: all',
      ],
    ],
  ])('%s', (text, plan) => expect(planOf(text)).toEqual(plan));

  test('shows no value of a run, and needs all of them', () => {
    const { placeholders, print } = prepareQuery('explain select event from events where event = {variables.secret}');
    expect(placeholders.map(({ chain }) => chain.join('.'))).toEqual(['variables.secret']);
    const { params } = print({ variables: { secret: 'SECRET' } }, { rowsMax: 10 });
    expect(JSON.stringify(params)).not.toContain('SECRET');
    expect(() => print({ variables: {} }, { rowsMax: 10 })).toThrow('{variables.secret}');
  });

  test('names no table, column or name of ours, whatever the query is', () => {
    for (const text of [...corpus, ...ordinaryStatements].filter((statement) =>
      /^\s*(?:select|with|\()/i.test(statement),
    )) {
      const plan = planOf(text).join('\n');
      expect([
        text,
        /analytics|__[a-z]+\d|_text\b|person_properties|person_overrides|team_id|…$/m.test(plan) && !/…/.test(text),
      ]).toEqual([text, false]);
      expect(plan).not.toBe('');
    }
  });

  test('refuses what the query itself would be refused for', () =>
    expect(() => compiled("explain select repeat('a', 1000000000)")).toThrow('more than 1,048,576 bytes'));

  test('is short, however long the query is', () => {
    const columns = Array.from({ length: 2_000 }, (_, n) => `properties.p${n}`).join(', ');
    const plan = planOf(`select ${columns} from events`);
    expect(Math.max(...plan.map((line) => line.length))).toBeLessThan(1_100);
    const unions = Array.from({ length: 300 }, () => 'select event from events').join(' union all ');
    expect(planOf(unions).length).toBe(501);
  });

  test('pages as any query', () =>
    expect(compileQuery({ text: 'explain select 1', limit: 1, offset: 2, rowsMax: 10 }).sql).toMatch(
      /LIMIT 2 OFFSET 2$/,
    ));
});
