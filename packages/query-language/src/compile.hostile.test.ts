import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileQuery } from './compile.ts';
import { QueryError } from './query-error.ts';
import { isAllowedFunction } from './testing/allowed-functions.ts';
import { corpus, corpusValues } from './testing/corpus.ts';
import { product, statementsOver } from './testing/generated-statements.ts';

const compile = (text: string): string => compileQuery({ text, ...corpusValues, values: { y: 'text', n: 3, x: 1 }, rowsMax: 100 }).sql;

describe('what a query must not reach', () => {
  test.each([
    'select * from system.tables',
    'select * from `system`.`tables`',
    'select * from "system.tables"',
    'select * from analytics.events',
    'select * from information_schema.tables',
    'select * from events, system.users',
    'select * from (select * from system.one)',
    'select exists(select 1 from system.one)',
    'select 1 where 1 in (select 1 from system.one)',
    'with x as (select * from system.one) select * from x',
    'select 1 union all select * from system.one',
    "select * from file('/etc/passwd')",
    "select * from `file`('/etc/passwd')",
    "select * from url('http://x', CSV)",
    "select * from s3('x')",
    "select * from remote('x', 'y')",
    "select * from cluster('x', system.one)",
    "select * from merge('analytics', '.*')",
    "select file('/etc/passwd')",
    "select `file`('/etc/passwd')",
    "select FILE('/etc/passwd')",
    'select APPLY(file) from events',
    'select * apply(file) from events',
    "select columns('.*') from events",
    "select arrayMap(x -> file(x), ['/etc/passwd'])",
    "select fileIf('/etc/passwd', 1)",
    "select dictGet('a', 'b', 1)",
    "select getSetting('log_comment')",
    "select joinGet('a', 'b', 1)",
    'select currentUser()',
    'select hostName()',
    'select sleep(3)',
    'select team_id from events',
    'select events.team_id from events',
    'select `team_id` from events',
    'select e.team_id from (select * from events) e',
    'select 1 from events where team_id = 2',
    'select 1 from events order by team_id',
    'select 1 as team_id',
    'select 1 as `TEAM_ID`',
    'select inserted_at from events',
    'select version from persons',
    'select is_deleted from persons',
    'select * from person_overrides',
    'select team_id from groups',
    'select group_0.team_id from events',
    'select group_5.key from events',
    'select version from person_distinct_ids',
    'select person_properties from events',
    "select 1 settings log_comment = '2.x'",
    "select * from (select 1 settings log_comment = '2.x')",
    'select (select 1 settings max_threads = 1)',
    'select 1 union all select 2 settings max_threads = 1',
    'with x as (select 1 settings max_threads = 1) select 1 from x',
    'select 1 format JSON',
    "select 1 into outfile '/tmp/x'",
    'select 1; select 2',
    'select 1; drop table events',
    'drop table events',
    'insert into events values (1)',
    'explain select 1',
    'select 1 as `a``b`',
    String.raw`select 1 as "a\"b"`,
    'select 1 as `{p0:String}`',
    'select 1 as `__t0`',
    'with `a``b` as (select 1) select * from `a``b`',
    'select * from events as `x``y`',
    'select * from numbers(1000000000)',
    'select constructor from events',
    'select constructor(1)',
    'select __proto__ from events',
    'select * from __proto__',
    'select {variables.__proto__}',
    'select x.__proto__ from (select 1 as a) x',
  ])('%s', (text) => {
    expect(() => compile(text)).toThrow(QueryError);
  });

  test.each([
    ['comments end where they end', "select 1 -- settings x = 1\n, 2 /* '; drop */"],
    ['quotes in texts are bound', String.raw`select '\'', '''', '\\', '"', '--', '/*', '{p1:String}', '\0'`],
    ['any property name is a literal of plain signs', "select properties['a'' or 1=1 --'], properties.`x'; --`, properties[' \\\\'] from events"],
  ])('%s', (_, text) => {
    const sql = compile(text);
    expect(foreignWords(sql)).toEqual([]);
  });

  test('nothing but our tables, allow-listed functions and keywords is printed, for every statement of the corpus', () => {
    for (const statement of corpus) expect({ statement, foreign: foreignWords(compile(statement)) }).toEqual({ statement, foreign: [] });
  });

  test('nothing else for generated statements either', () => {
    let compiled = 0;
    fc.assert(
      fc.property(statementsOver(product), (statement) => {
        const sql = tryCompile(statement);
        compiled += sql === undefined ? 0 : 1;
        expect(foreignWords(sql ?? '')).toEqual([]);
      }),
      { numRuns: 1_500, seed: 7 },
    );
    expect(compiled).toBeGreaterThan(50);
  });

  test('text of any kind either compiles to our words or is a QueryError', () => {
    const soup = fc.array(fc.constantFrom('select', 'from', 'events', 'event', '*', ',', '(', ')', '`', '"', "'", '\\', '{', '}', '[', ']', 'settings', 'file', 'system', '.', '1', 'as', 'where', '--', '/*', '*/', ';', 'with', 'union all', '::', '->', '\n', '\0', 'é'), { maxLength: 30 });
    fc.assert(fc.property(soup, (words) => expect(foreignWords(tryCompile(`select ${words.join(' ')}`) ?? '')).toEqual([])), { numRuns: 2_000, seed: 11 });
  });
});

function tryCompile(text: string): string | undefined {
  try {
    return compile(text);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

const keywords = new Set('SELECT DISTINCT AS FROM WHERE GROUP BY HAVING ORDER ASC DESC NULLS FIRST LAST LIMIT OFFSET WITH UNION ALL INNER LEFT RIGHT FULL CROSS JOIN ON FINAL NOT NULL true false ANY analytics events persons person_overrides person_distinct_ids groups ingestion_warnings numbers'.split(' '));

/** The bare words of printed SQL that are not known to be harmless. Quoted names and literals are taken out first. */
function foreignWords(sql: string): string[] {
  const bare = sql.replaceAll(/`[\w$]+`/g, ' ').replaceAll(/'[\w$ .,:;()/+%?=\\-]*'/g, ' ').replaceAll(/\{p\d+:(Array\()?(Nullable\()?(String|UUID|Date|Bool|DateTime64\(6, {1,3}\))\)?\)?\}/g, ' ');
  const words = bare.match(/[A-Za-z_$][\w$]*|[`'"{};\\#]|--|\/\*/g) ?? [];
  return words.filter((word) => !keywords.has(word) && !isAllowedFunction(word) && !/^e\d*$/.test(word));
}
