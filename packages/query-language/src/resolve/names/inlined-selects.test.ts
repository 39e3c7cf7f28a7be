import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../../compile.ts';

const chain = (count: number, part: (before: string) => string): string =>
  Array.from({ length: count }, (_, index) => `w${index + 1} as (${part(`w${index}`)})`).join(', ');
const compile = (withs: string, text: string) =>
  compileQuery({ text: `with w0 as (select event as a from events), ${withs} ${text}`, rowsMax: 1 });
const tooLarge = expect.objectContaining({ code: 'query_too_large', message: expect.stringContaining('500 SELECTs') });

// ClickHouse puts a CTE in each place that names it, and looks at no time limit meanwhile: of 1 KB it planned 4 s, of 2 KB 30.
describe('SELECTs that ClickHouse makes of CTEs', () => {
  test.each<[string, (before: string) => string]>([
    ['unions', (before) => `select a from ${before} union all select a from ${before}`],
    ['joins', (before) => `select x.a from ${before} x cross join ${before} y`],
    ['IN', (before) => `select a from ${before} where a in (select a from ${before})`],
    ['IN of the name', (before) => `select a from ${before} where a in ${before}`],
    ['values', (before) => `select a, (select max(a) from ${before}) as b from ${before}`],
  ])('are bounded where each names the one before twice: %s', (_, part) => {
    expect(() => compile(chain(5, part), 'select a from w5')).not.toThrow();
    expect(() => compile(chain(9, part), 'select a from w9')).toThrow(tooLarge);
    expect(() => compile(chain(60, part), 'select 1')).toThrow(tooLarge);
  });

  test('count once where they are named once, and not at all where they are not', () => {
    const long = chain(400, (before) => `select a from ${before}`);
    expect(() => compile(long, 'select a from w400')).not.toThrow();
    expect(() =>
      compile(`${long}, ${long.replaceAll('w', 'v').replace('v0', 'w0')}`, 'select a from w400'),
    ).not.toThrow();
    expect(() => compile(long, 'select a from w400 union all select a from w200')).toThrow(tooLarge);
  });

  test('count in a recursive query too, which names itself once', () => {
    const parts = (count: number): string =>
      Array.from({ length: count }, () => 'select n + 1 from r where n < 3').join(' union all ');
    const recursive = (count: number): string =>
      `with recursive r as (select 1 as n union all ${parts(count)}) select n from r`;
    expect(() => compileQuery({ text: recursive(100), rowsMax: 1 })).not.toThrow();
    expect(() => compileQuery({ text: recursive(600), rowsMax: 1 })).toThrow(tooLarge);
  });
});
