import fc from 'fast-check';

// Statements as text, a few levels deep, of the grammar that both parsers share.

/** Names in the generated statements. */
export interface Vocabulary {
  names: readonly string[];
  tables: readonly string[];
}

const abstract: Vocabulary = {
  names: [
    'a',
    'b',
    'event',
    'properties',
    '$browser',
    '`a b`',
    '"c""d"',
    'e.f',
    'properties.$x.y',
    "g['h i']",
    'k[1]',
    't.1',
    'sum(a) over w',
    'a[1:b]',
    '(a as z)',
    "f'x{a}{b}'",
    "{'k': a}",
    'COLUMNS(a, b)',
  ],
  tables: [
    'events',
    'events e',
    'events as "e x"',
    '(select 1 as a) s',
    'events e left join persons p on e.a = p.b',
    'a, b',
    'a cross join b',
    'numbers(10)',
    'a array join b as c',
    't left array join [1] as a, b as `e f`',
    'a left any join b using (x, y)',
    '(a)',
    '(a join b on x) join c on y',
    '((select 1 as a) s join b on x), (c)',
    'a semi join b using c asof join d on a.x = d.x and a.y > d.y',
    'a join b on a.x = b.x and a.y > 1 join c on true',
  ],
};

/** Names and tables that the product has: some of the statements compile. */
export const product: Vocabulary = {
  names: [
    'properties.a',
    'properties.b',
    "properties['c d'].e",
    'person.properties.x',
    'properties.n',
    'person_id',
    'person.created_at',
    'group_0.properties.x',
    'group_4.key',
    'elements_chain_href',
    'elements_chain_texts',
    "f'{properties.a} {event}'",
    'elements_chain_texts[1:2]',
    "{'k': properties.a}['k']",
    "properties->'a'->>'b'",
    'ARRAY[event, properties.a]',
    'current_date',
    "split_part(event, ' ', 1)",
    "(event ~ 'a')",
    "to_char(timestamp, 'YYYY')",
  ],
  tables: [
    'events',
    'events e',
    'events cross join numbers(3)',
    '(events)',
    '(events e join persons p on e.person_id = p.id)',
    'events array join [1, 2] as item',
    'events left array join elements_chain_texts as item',
    'events e any left join persons p using (created_at)',
    'events e anti join persons p on e.person_id = p.id',
    'events e left join persons p on e.person_id = p.id',
    '(select properties, person_id from events) s',
    "(values (1, 'a'), (2, null)) as v(n, event)",
    'generate_series(1, 3) as n',
    'events, unnest(properties.a) as item',
    'unnest([1, 2]) as item',
  ],
};
const literals = fc.constantFrom(
  '1',
  '0',
  '1.5',
  '-2',
  '.5',
  '1e3',
  '0x1F',
  "'x'",
  "'it''s'",
  String.raw`'a\'b\n'`,
  'true',
  'FALSE',
  'null',
  '[1, 2]',
  "(1, 'a')",
  '{variables.x}',
  '{y}',
  'interval 3 day',
  "interval '2 hours'",
);
const binary = fc.constantFrom(
  '+',
  '-',
  '*',
  '/',
  '%',
  '||',
  '??',
  '=',
  '==',
  '!=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'and',
  'OR',
  'like',
  'not like',
  'ILIKE',
  'in',
  'not in',
  '=~',
  '!~',
  'is distinct from',
);

function expressionsOver(names: readonly string[], inner: string): fc.Arbitrary<string> {
  return fc.letrec<{ expression: string; leaf: string; condition: string }>((tie) => ({
    leaf: fc.oneof(fc.constantFrom(...names), literals),
    condition: fc.tuple(tie('leaf'), fc.constantFrom('=', '<', 'like'), tie('leaf')).map((parts) => parts.join(' ')),
    expression: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'expression' },
      { weight: 3, arbitrary: tie('leaf') },
      {
        weight: 6,
        arbitrary: fc
          .tuple(tie('expression'), binary, tie('expression'))
          .map(([left, op, right]) => `${left} ${op} ${right}`),
      },
      { weight: 1, arbitrary: tie('expression').map((inner) => `(${inner})`) },
      { weight: 1, arbitrary: tie('expression').map((inner) => `not ${inner}`) },
      { weight: 1, arbitrary: tie('expression').map((inner) => `- ${inner}`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie('expression'), fc.constantFrom('is null', 'IS NOT NULL'))
          .map(([inner, suffix]) => `${inner} ${suffix}`),
      },
      { weight: 1, arbitrary: tie('leaf').map((leaf) => `${leaf} ::int`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie('expression'), tie('leaf'), tie('leaf'))
          .map(([inner, low, high]) => `${inner} between ${low} and ${high}`),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie('condition'), tie('leaf'), tie('leaf'))
          .map(([condition, then, fallback]) => `${condition} ? ${then} : ${fallback}`),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie('condition'), tie('leaf'), tie('leaf'))
          .map(([condition, then, fallback]) => `case when ${condition} then ${then} else ${fallback} end`),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('lower', 'count', 'sumIf', 'if'), tie('leaf'), tie('leaf'))
          .map(([name, first, second]) => `${name}(${first}, ${second})`),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(tie('leaf'), tie('condition')).map(([array, body]) => `arrayMap(x -> ${body}, ${array})`),
      },
      { weight: 1, arbitrary: tie('leaf').map((leaf) => `${leaf} in (${inner})`) },
    ),
  })).expression;
}

/** SELECTs over a vocabulary, and sets of two of them (without OFFSET, which the oracle gives to the whole set). */
export function statementsOver({ names, tables }: Vocabulary): fc.Arbitrary<string> {
  const expressions = expressionsOver(names, `select ${names[0]} from ${tables[0]}`);
  const clause = (word: string): fc.Arbitrary<string> =>
    fc.option(expressions, { nil: undefined, freq: 2 }).map((expr) => (expr === undefined ? '' : ` ${word} ${expr}`));
  const column = fc.tuple(expressions, fc.constantFrom('', ' as c', ' d', ' as `e f`')).map((parts) => parts.join(''));
  const heads = fc.constantFrom('select', 'select distinct', 'with w as (select 1) select', 'WITH 1 AS one SELECT');
  // Few and small: the oracle's time multiplies with what a statement holds.
  const windows = fc.constantFrom(
    '',
    '',
    '',
    ' window w as (order by 1)',
    ` window w as (partition by ${names[0]} rows 1 preceding), v as ()`,
    ` qualify ${names[0]} = 1`,
    ` qualify ${names[0]} window w as ()`,
  );
  const selects = fc
    .tuple(
      heads,
      fc.array(column, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...tables),
      clause('where'),
      clause('group by'),
      clause('having'),
      windows,
      clause('order by'),
      fc.constantFrom('', ' desc', ' asc'),
      fc.constantFrom(
        '',
        ' limit 5',
        ' limit {n} offset 2',
        ` limit 1 by ${names[0]}`,
        ` limit 2 offset 1 by ${names[0]}, 1 limit 5`,
        ' limit 5 with ties',
      ),
    )
    .map(
      ([head, columns, table, where, group, having, window, order, direction, limit]) =>
        `${head} ${columns.join(', ')} from ${table}${where}${group}${having}${window}${order}${order === '' ? '' : direction}${limit}`,
    );
  const sets = fc.constantFrom(' union all ', ' union ', ' except ', ' intersect distinct ', ' intersect ');
  const unions = fc.tuple(selects, sets, selects).map((parts) => parts.join('').replaceAll(' offset 2', ''));
  return fc.oneof({ weight: 5, arbitrary: selects }, { weight: 1, arbitrary: unions });
}

/** Statements for the parser alone: the names mean nothing. */
export const statements: fc.Arbitrary<string> = statementsOver(abstract);

/** The same statements every time, of the product's names and tables. */
export function sampleStatements(count: number): string[] {
  return fc.sample(statementsOver(product), { numRuns: count, seed: 7 });
}
