import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HogQLParser } from '@posthog/hogql-parser';
import fc from 'fast-check';
import { parseSelect } from './parse.ts';
import { corpus } from './testing/corpus.ts';
import { essence, loadOracle, oracleTree } from './testing/hogql-oracle.ts';
import { statements } from './testing/generated-statements.ts';
import { syntaxCorpus } from './testing/syntax-corpus.ts';

/** Where we are of another mind than the published parser, and why. Each entry is checked to differ still. */
const differences: readonly [statement: string, why: string][] = [
  ['select 9007199254740993', 'integers beyond 2^53 keep all their digits (value_type number); the oracle rounds them'],
  [String.raw`select '\0'`, 'an escaped NUL is a NUL; the oracle drops it'],
  [String.raw`select '\d+', '50\%'`, 'an unknown escape keeps its backslash, as in ClickHouse; the oracle refuses it'],
  ['select a from t order by a nulls first', 'NULLS FIRST and LAST are kept in OrderExpr.nulls; the oracle drops them'],
  ['select a::Array(String)', ':: takes every type; the oracle knows bare words only, Array not among them'],
  ["select a::DateTime64(6, 'UTC')", 'the same: the oracle takes the brackets for a call'],
  [
    'select a is null::int',
    'refused: write (a is null)::int; the oracle casts the whole comparison here, but only the right side of others',
  ],
  ['select a::double precision', 'the same: the oracle takes the second word for an alias'],
  ['select a name, b key, c year from t', 'these words are aliases without AS; the oracle refuses them'],
  ['select a asc from t', 'the other way round: words of a clause need AS'],
  ['select a from t format JSON', 'FORMAT is refused; the oracle takes the words for aliases'],
  ['select a from t limit 1, 2', 'offset, limit, as ClickHouse and MySQL have it; the oracle reads limit, offset'],
  ['select substring(x from 1 for 2)', 'a call of substring; the oracle refuses it'],
  ['select distinct on (a) b from t', 'LIMIT 1 BY a; the oracle takes it for a call'],
  ['select array[a]', 'an item of a column of this name, if there is one; the oracle takes it for a list'],
  ['select a && b', 'do lists overlap, as in Postgres; the oracle refuses it'],
  ["select a->>'b', f(x)->'c'", 'members of JSON, as in Postgres; the oracle refuses them'],
  [
    "select f(a->'b'), {'a': x -> 1}",
    'the same: only functions that take a lambda have one; the oracle takes it for one everywhere',
  ],
  ["select interval '1 day 2 hours'", 'a sum of intervals; the oracle refuses it'],
  ['select a::int[]', 'a type of lists, as in Postgres; the oracle refuses it'],
  ['select * from (values (1, 2), (3, 4)) as t(a, b)', 'rows of values; the oracle refuses them'],
  ['select 1 from t cross join lateral unnest(a) as b', 'LATERAL before unnest(); the oracle refuses it'],
  ['select {{x}}', 'refused: a variable has one pair of braces; the oracle takes a placeholder inside another'],
  ['(select 1 limit 2) limit 3', 'refused: the oracle forgets the inner LIMIT'],
  ['(select 1 union all select 2) order by 1', 'refused: the oracle forgets the ORDER BY'],
  [
    'select 1 union all select 2 limit 3 offset 4',
    'an OFFSET stays with its LIMIT, in the last SELECT; the oracle gives it alone to the whole UNION',
  ],
  ['select a from t group by a with totals', 'refused: the oracle forgets WITH TOTALS'],
  ['select a /* b', 'an open comment is an error; the oracle reads it as a division'],
  ['select 1_000', 'a word glued to a number is an error; the oracle takes it for an alias'],
  ['select select from t', 'words of the structure are no bare column names'],
  ['select inf', 'numbers that are not finite are refused'],
  ['select f(a)(b)(c)', 'calls of expressions are refused'],
  ['select groupArray(a order by b nulls first) from t', 'NULLS FIRST is kept here as well'],
  [
    'select any(a) ignore nulls, any(b ignore nulls) from t',
    'IGNORE NULLS is kept: lag and lead need it; the oracle drops it',
  ],
  ['select any(a) respect nulls from t', 'RESPECT NULLS; the oracle refuses it'],
  ['select lag(a) ignore nulls over () from t', 'the same before OVER'],
  [
    "select string_agg(distinct a, ',') within group (order by a) from t",
    'DISTINCT and FILTER beside WITHIN GROUP; the oracle refuses them',
  ],
  [
    'select 1 from a left join (b join c on y) on x',
    'refused: without the brackets, as the oracle has it, it would mean another join',
  ],
  ['select 1 from a natural join b', 'NATURAL is kept in JoinExpr.natural; the oracle forgets it'],
  ['select 1 from a natural join b on x', 'refused: it has no condition of its own'],
  ['select cast(a as b as int)', 'refused: CAST takes one AS; (a as b)::int'],
  [String.raw`select f'\d{a}'`, 'an unknown escape keeps its backslash here as well; the oracle refuses it'],
  ["select t.COLUMNS('a') from t", 'COLUMNS of one table, as in ClickHouse; the oracle takes it for a call of a field'],
  ['select COLUMNS(t.* replace (b as c)) from t', 'the table stays in ColumnsExpr.table; the oracle forgets it'],
  ['select COLUMNS(* replace (1 as a, 2 as a)) from t', 'refused: the oracle forgets the first'],
  [
    "select COLUMNS('a') exclude (b) from t",
    'EXCEPT and REPLACE stand behind COLUMNS as well, as in ClickHouse; the oracle refuses them',
  ],
  ["select columns('a') over () from t", 'refused: columns() is no function'],
  ['select * replace (b as c) from t', 'REPLACE outside of COLUMNS, as in ClickHouse; the oracle refuses it'],
  ['select * exclude a from t', 'one column without brackets, as in ClickHouse; the oracle refuses it'],
  ['select * exclude (t.a) from t', 'refused: names of columns alone'],
  ['select a from t sample 0.1', 'refused: no table has a sampling key; the oracle forgets it'],
  ['select interval 3 MONTHS', 'units may be plural, as in ClickHouse'],
  ["select date '2020-01-01', TIMESTAMP '2020-01-01'", 'calls of toDate and toDateTime; the oracle refuses them'],
  ['select extract(day from x)', 'a call of toDayOfMonth; the oracle refuses it'],
  [
    'select count(distinct a) over (order by b) from t',
    'DISTINCT of an aggregate with a window; the oracle refuses it',
  ],
  [
    'select a from t order by a limit 5 offset 3 with ties',
    'WITH TIES stands behind OFFSET as well, as in ClickHouse; the oracle refuses it',
  ],
  [
    'select a from t window w as (order by b) qualify c',
    'WINDOW stands before QUALIFY as well, as in ClickHouse; the oracle refuses it',
  ],
  ['select 1 except distinct select 2', 'EXCEPT has its DISTINCT as the others have; the oracle refuses it'],
  ['select * except (a) from t', 'the spelling of ClickHouse for * EXCLUDE; the oracle expects a query there'],
  ['select t.* exclude (a) from t', 'the table stays in ColumnsExpr.table; the oracle forgets it'],
  ['select sum(a) filter (where b) over (order by c) from t', 'the FILTER is kept; the oracle forgets it'],
  ['select a from t global join b on x', 'GLOBAL is refused; the oracle takes it for an alias'],
  ['select a from t group by a with rollup', 'WITH ROLLUP and WITH CUBE are modes; the oracle forgets them'],
  ['select #1', 'no positional references'],
  ["select <a b='c' />", 'no tags'],
  ['{x}', 'a placeholder is a value, not a statement'],
];

let oracle: HogQLParser;
beforeAll(async () => {
  oracle = await loadOracle();
});

function ourTree(statement: string): unknown {
  try {
    return essence(parseSelect(statement));
  } catch (error) {
    if (error instanceof Error && error.name === 'QueryError') return undefined;
    throw error;
  }
}

describe('the published parser as the oracle', () => {
  const chosen = [...new Set([...syntaxCorpus, ...corpus.filter((statement) => statement.length < 90)])].filter(
    (statement) => !/::\w+\(|nulls (first|last)|9007199254740993|9223372036854775807/i.test(statement),
  );

  test(`reads at least 300 statements into the same trees (${chosen.length})`, () => {
    expect(chosen.length).toBeGreaterThanOrEqual(300);
    const differing = chosen.filter(
      (statement) =>
        JSON.stringify(sorted(ourTree(statement))) !== JSON.stringify(sorted(oracleTree(oracle, statement))),
    );
    expect(differing).toEqual([]);
  }, 60_000);

  test('reads generated statements into the same trees', () => {
    fc.assert(
      fc.property(statements, (statement) => {
        expect(ourTree(statement)).toEqual(oracleTree(oracle, statement));
      }),
      { numRuns: 150, seed: 20_261_121 },
    );
  }, 30_000);

  test.each(differences)('differs on purpose: %s', (statement) => {
    expect(ourTree(statement)).not.toEqual(oracleTree(oracle, statement));
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
