import { describe, expect, test } from '@jest/globals';
import { inferColumns } from './columns.ts';
import { compileQuery } from './compile.ts';
import { parseSelect } from './parse.ts';
import { corpus, corpusValues } from './testing/corpus.ts';

const infer = (text: string): string =>
  inferColumns(parseSelect(text), text)
    .map(({ name, type }) => `${name}: ${type}`)
    .join(', ');

describe('inferColumns', () => {
  test.each([
    [
      'a column has its own name, an expression its text',
      'select event, properties.$browser, count( ) , toDate(timestamp)  as day from events group by 1, 2, 4',
      'event: string, $browser: string, count( ): integer, day: date',
    ],
    [
      'a template of one part is written with its quotes where something follows it, or comes before it',
      "select f'{[1, 2]}'[1], f'{[1, 2]}', 1 + f'{2}', (f'{[3]}')[1], f'{f'{[4]}'}'[1], f'{(5)}' + 1",
      "f'{[1, 2]}'[1]: integer, [1, 2]: array, 1 + f'{2}': integer, (f'{[3]}')[1]: integer, f'{f'{[4]}'}'[1]: integer, f'{(5)}' + 1: integer",
    ],
    [
      'the types of the API',
      "select 1, 1.5, toDecimal('1', 2), 'x', now(), today(), 1 = 1, [1], (1, 2), null",
      "1: integer, 1.5: float, toDecimal('1', 2): decimal, 'x': string, now(): datetime, today(): date, 1 = 1: boolean, [1]: array, (1, 2): json, null: unknown",
    ],
    [
      'branches and numbers of properties',
      "select if(1, properties.a, 'x') as a, coalesce(properties.n, 0) as b, properties.n + 1 as c, sum(properties.n) as d, max(timestamp) as e from events group by properties.a, properties.n",
      'a: string, b: float, c: float, d: float, e: datetime',
    ],
    [
      'through sub-queries, CTEs and UNION',
      'with w as (select event as e, count() as c from events group by e) select * from (select e, c from w union all select e, c + 0.5 from w)',
      'e: string, c: float',
    ],
    [
      'placeholders fit everywhere',
      'select {variables.a} as a, properties.n + {variables.b} as b from events where timestamp >= {variables.c} and event in {variables.d} and has({variables.e}, event) limit {variables.f}',
      'a: string, b: float',
    ],
  ])('%s', (_, text, expected) => {
    expect(infer(text)).toBe(expected);
  });

  test('agrees with a run wherever the values do not decide', () => {
    const decided = corpus.filter((text) => !text.includes('{'));
    for (const text of decided)
      expect({ text, columns: inferColumns(parseSelect(text), text) }).toEqual({
        text,
        columns: compileQuery({ text, ...corpusValues, rowsMax: 10 }).columns,
      });
  });

  test('infers every statement of the corpus', () => {
    for (const text of corpus) expect(infer(text)).not.toBe('');
  });
});
