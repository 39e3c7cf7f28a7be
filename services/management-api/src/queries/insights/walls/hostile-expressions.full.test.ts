import { describe, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import { foreignWords } from '@millrace/query-language/testing/foreign-words.ts';
import { boundedStatements, refusedStatements } from '@millrace/query-language/testing/hostile-corpus.ts';
import { compileInsight } from '../testing/compile-insight.ts';
import { expressionPlaces, type ExpressionPlace } from '../testing/expression-places.ts';

/** Expressions of the corpus: what stands between SELECT and FROM, and behind WHERE, and whole statements as sub-queries. */
const expressionsOf = (statements: readonly string[]): string[] => [
  ...new Set(
    statements.flatMap((statement) => [
      ...(/^select (.*?)(?: from .*)?$/is.exec(statement)?.slice(1) ?? []),
      ...(/ where (.*)$/is.exec(statement)?.slice(1) ?? []),
      statement,
      `(${statement})`,
      `event in (${statement})`,
    ]),
  ),
];

/** The printed SQL; undefined: it is refused. Any other error fails the test. */
function printedOf(place: ExpressionPlace, text: string): string | undefined {
  try {
    return compileInsight(place.kind, place.definitionWith(text)).sql;
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    if (error instanceof AppError && error.details.attr === 'query') return undefined;
    throw error;
  }
}

const places = expressionPlaces.map((place) => [place.name, place] as const);

describe.each(places)('an expression in %s', (_, place) => {
  const sample = { aggregate: 'count()', value: 'event', condition: "event = 'x'" }[place.takes];

  test('is compiled', () => expect(printedOf(place, sample)).toContain('analytics.events'));

  test('of the hostile corpora is refused, or prints nothing but our words', () => {
    for (const text of expressionsOf([...refusedStatements, ...boundedStatements])) {
      const sql = printedOf(place, text);
      expect({ text, foreign: foreignWords(sql ?? '') }).toEqual({ text, foreign: [] });
    }
  });

  const aggregates = ['count()', 'max(event)', 'count() over ()', 'sum(length(event)) > 1'];
  test.each([
    'team_id',
    'events.team_id',
    '(select 1 from system.one)',
    '(select count() from analytics.events)',
    'event in (select event from analytics.events)',
    "file('/etc/passwd')",
    "(select * from url('http://127.0.0.1:1', CSV))",
    '(select count() from person_overrides)',
    '{variables.x}',
    '{p0:String}',
    'event; select 1',
    'event) from events --',
    'event) as x, (select 1',
    'event as x',
    '(event as x)',
    "concat((event as timestamp), '')",
    '',
    '*',
    'constructor',
    '__t0.event',
    ...(place.takes === 'aggregate' ? ['event', 'sum(sum(1))'] : aggregates),
  ])('%s is refused', (text) => expect(printedOf(place, text)).toBeUndefined());

  test('does not reach the columns that the statement makes', () => {
    const columns = new Set((printedOf(place, sample) ?? '').match(/(?<=`)\w+(?=`)/g));
    const own = [...columns].filter((name) => /^insight_|^__/.test(name));
    expect(own.length).toBeGreaterThan(0);
    const wrapped = { aggregate: 'max', value: '', condition: 'isNotNull' }[place.takes];
    for (const name of own)
      for (const text of [`${wrapped}(${name})`, `${wrapped}((select ${name}))`])
        expect([text, printedOf(place, text)]).toEqual([text, undefined]);
  });
});
