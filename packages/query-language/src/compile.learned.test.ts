import { describe, expect, test } from '@jest/globals';
import type { PropertyType, propertyTypes } from '@millrace/contracts/property-types.ts';
import { inferColumns } from './columns.ts';
import { compileQuery, type CompiledQuery } from './compile.ts';
import { parseSelect } from './parse.ts';
import { QueryError } from './query-error.ts';
import { noNames, schemaOf as schemaOfNames } from './schema/learned-names.ts';
import type { ProjectSchema } from './schema/project-schema.ts';
import { boundedStatements } from './testing/hostile-corpus.ts';
import { corpus, corpusValues } from './testing/corpus.ts';
import { ordinaryStatements } from './testing/ordinary-corpus.ts';
import { schemaOf } from './testing/schema-of.ts';

// Changes that learned types make, and contexts that they leave alone. The answers themselves are compared on a real engine.
const statements = [...new Set([...corpus, ...ordinaryStatements, ...boundedStatements])];
const everyPropertyIs = (type: (typeof propertyTypes)[number] | null): ProjectSchema => ({
  ...schemaOf({}),
  property: () => ({ type }),
});

function compiled(text: string, schema?: ProjectSchema): Omit<CompiledQuery, 'properties'> | string {
  try {
    const { properties: _, ...query } = compileQuery({ text, schema, ...corpusValues, rowsMax: 1_000 });
    return query;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

const schema = schemaOf({
  event: { n: 'Numeric', m: 'Numeric', b: 'Boolean', t: 'DateTime', l: 'List', s: 'String', u: null },
  person: { age: 'Numeric' },
});
const sqlOf = (text: string): string => compileQuery({ text, schema, rowsMax: 10 }).sql;
const untypedSqlOf = (text: string): string => compileQuery({ text, rowsMax: 10 }).sql;

describe('a schema changes nothing', () => {
  test.each([null, 'String'] as const)('of statements whose properties have the type %s', (type) => {
    for (const text of statements)
      expect([text, compiled(text, everyPropertyIs(type))]).toEqual([text, compiled(text)]);
  });

  test.each(['Numeric', 'Boolean', 'DateTime', 'List'] as const)(
    'of what is refused, and of what compiles, when every property has the type %s',
    (type) => {
      for (const text of statements) {
        const [typed, today] = [compiled(text, everyPropertyIs(type)), compiled(text)];
        expect([text, typeof typed === 'string' ? typed : '']).toEqual([text, typeof today === 'string' ? today : '']);
      }
    },
  );

  test.each([
    'select count() from events where properties.n > 5 and properties.b and properties.t >= now() - interval 7 day',
    "select count() from events where properties.n = '5' or properties.n in ('5', '6') or properties.n like '5%'",
    'select sum(properties.n), avg(properties.n), quantile(0.9)(properties.n), count(properties.n) from events',
    'select properties.n + 1, round(properties.n), toDate(properties.t), lower(properties.n), toString(properties.n) from events',
    "select coalesce(properties.n, 0), coalesce(properties.n, 'none'), if(properties.b, 1, 0) from events",
    "select properties.plan as r, count() from events where properties.n = '007' group by r",
    'select properties.s, count() from events group by properties.s order by properties.s',
    'select properties.n.inside, properties.n is null from events where properties.n is not null',
    'select length(properties.l), has(properties.l, 1), arrayJoin(properties.l), properties.l[1] from events',
    'select count() from groups where properties.n = properties.m',
    'select cityHash64(properties.n), toJSONString(properties.n) from events',
  ])('where the context says what a property is: %s', (text) => expect(sqlOf(text)).toBe(untypedSqlOf(text)));
});

describe('where nothing else says what a property is, its type does', () => {
  const number = (name: string): string =>
    `if(isFinite(toFloat64OrNull(\`__t0\`.\`properties\`['${name}'])), toFloat64OrNull(\`__t0\`.\`properties\`['${name}']), NULL)`;

  test.each([
    ['a column', 'select properties.n from events', `SELECT ${number('n')} AS \`n\``],
    ['a key of a group', 'select count() from events group by properties.n', `GROUP BY ${number('n')} `],
    ['a sort key', 'select event from events order by properties.n', `ORDER BY ${number('n')} ASC LIMIT`],
    ['LIMIT BY', 'select event from events limit 1 by properties.n', `BY ${number('n')} `],
    ['an aggregate', 'select max(properties.n) from events', `max(${number('n')})`],
    [
      'two properties',
      'select 1 from events where properties.n = properties.m',
      `equals(${number('n')}, ${number('m')})`,
    ],
    ['a list', 'select [properties.n, properties.m] from events', `array(${number('n')}, ${number('m')})`],
    [
      'a sum of booleans',
      'select sum(properties.b) from events',
      "sum(if(or(equals(`__t0`.`properties`['b'], 'true'), equals(`__t0`.`properties`['b'], 'false')), toBool(",
    ],
  ])('%s', (_, text, part) => expect(sqlOf(text)).toContain(part));

  test('each key of a group is read once, and its text is that of the value', () => {
    const sql = sqlOf("select properties.b as b, lower(b), b = 'true', count() from events group by b");
    const b = "`__t0`.`properties`['b']";
    const key = `if(or(equals(${b}, 'true'), equals(${b}, 'false')), toBool(equals(${b}, 'true')), NULL)`;
    expect(sql).toContain(`SELECT ${key} AS \`b\`, lower(toString(${key}))`);
    expect(sql).toContain(`GROUP BY ${key} `);
  });

  test.each([
    ['n', 'float'],
    ['b', 'boolean'],
    ['t', 'datetime'],
    ['l', 'array'],
    ['s', 'string'],
    ['u', 'string'],
    ['unknown', 'string'],
  ])('the type of the column properties.%s is %s, also before there are values', (name, type) => {
    const text = `select v from (select properties.${name} as v from events where event = {variables.e})`;
    expect(compileQuery({ text, schema, variables: { e: 'x' }, rowsMax: 1 }).columns).toEqual([{ name: 'v', type }]);
    expect(inferColumns(parseSelect(text), text, schema)).toEqual([{ name: 'v', type }]);
  });
});

describe('ids of calls of language models are texts, whatever was learned of them', () => {
  const statements = [
    'select properties.$ai_trace_id as id, count() from events group by id order by id',
    'select properties.$ai_trace_id, s.numeric_value from events join trace_scores as s on s.trace_id = properties.$ai_trace_id',
    'select count(distinct properties.$ai_session_id), max(properties.$ai_parent_id) from events',
    'select count() from events where properties.$ai_span_id = properties.$ai_parent_id',
  ];
  const ids = ['$ai_trace_id', '$ai_session_id', '$ai_parent_id', '$ai_span_id'];
  const typesOf = (type: PropertyType) => ({ event: Object.fromEntries(ids.map((id) => [id, type])) });
  const names = (type: PropertyType) => ({
    ...noNames,
    properties: { event: ids.map((name) => ({ name, type })) },
  });

  test.each(['Numeric', 'Boolean', 'DateTime', 'List'] as const)('%s', (type) => {
    for (const given of [
      schemaOf(typesOf(type)),
      schemaOfNames(names(type), typesOf(type)),
      schemaOfNames(noNames, typesOf(type)),
    ])
      for (const text of statements) expect([text, compiled(text, given)]).toEqual([text, compiled(text)]);
  });

  test('and so a version of an endpoint keeps them', () => {
    const { properties } = compileQuery({
      text: statements[0] ?? '',
      schema: schemaOf(typesOf('Numeric')),
      rowsMax: 1,
    });
    expect(properties).toEqual([{ owner: 'event', name: '$ai_trace_id', type: 'String' }]);
  });
});

describe('the properties that a query read by name', () => {
  const read = (text: string, given?: ProjectSchema) =>
    compileQuery({ text, schema: given, rowsMax: 1 }).properties.map(
      ({ owner, name, type }) => `${owner} ${name} ${String(type)}`,
    );

  test('are listed once each, with their owner and type, whether their context has decided or not', () => {
    const text =
      "select properties.n, properties['n'] + 1, properties.s.inside, person.properties.age, group_2.properties.x from events where properties.u = 'a' and properties.never is null";
    expect(read(text, schema).sort()).toEqual([
      'event n Numeric',
      'event never null',
      'event s String',
      'event u null',
      'group_2 x null',
      'person age Numeric',
    ]);
  });

  test('are listed without a schema too, and not those of the table groups', () => {
    expect(read('select properties.n from events')).toEqual(['event n null']);
    expect(read('select properties.n from groups')).toEqual([]);
    expect(read('select event from events')).toEqual([]);
  });
});
