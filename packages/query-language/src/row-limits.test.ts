import { describe, expect, test } from '@jest/globals';
import { compileQuery } from './compile.ts';
import { rowLimits } from './row-limits.ts';

const none = { limit: undefined, offset: undefined };

describe('rowLimits (contract/endpoints 4.5)', () => {
  test.each([
    [
      'no limit at all: the cap, and one row more tells that it cut',
      none,
      { rowsMax: 100 },
      { rowLimit: 100, fetchLimit: 101, fetchOffset: 0, extraRowMeansMore: true },
    ],
    [
      'a page',
      none,
      { limit: 10, rowsMax: 100 },
      { rowLimit: 10, fetchLimit: 11, fetchOffset: 0, extraRowMeansMore: true },
    ],
    [
      'a later page',
      none,
      { limit: 10, offset: 20, rowsMax: 100 },
      { rowLimit: 10, fetchLimit: 11, fetchOffset: 20, extraRowMeansMore: true },
    ],
    [
      'the own LIMIT ends the result: no more',
      { limit: 50, offset: undefined },
      { rowsMax: 100 },
      { rowLimit: 50, fetchLimit: 50, fetchOffset: 0, extraRowMeansMore: false },
    ],
    [
      'a page under the own LIMIT',
      { limit: 50, offset: undefined },
      { limit: 10, rowsMax: 100 },
      { rowLimit: 10, fetchLimit: 11, fetchOffset: 0, extraRowMeansMore: true },
    ],
    [
      'the last page under the own LIMIT',
      { limit: 50, offset: undefined },
      { limit: 10, offset: 45, rowsMax: 100 },
      { rowLimit: 5, fetchLimit: 5, fetchOffset: 45, extraRowMeansMore: false },
    ],
    [
      'a page that ends exactly at it',
      { limit: 50, offset: undefined },
      { limit: 10, offset: 40, rowsMax: 100 },
      { rowLimit: 10, fetchLimit: 10, fetchOffset: 40, extraRowMeansMore: false },
    ],
    [
      'beyond it: nothing',
      { limit: 50, offset: undefined },
      { limit: 10, offset: 50, rowsMax: 100 },
      { rowLimit: 0, fetchLimit: 0, fetchOffset: 50, extraRowMeansMore: false },
    ],
    [
      'the own OFFSET comes first',
      { limit: 50, offset: 7 },
      { limit: 10, offset: 20, rowsMax: 100 },
      { rowLimit: 10, fetchLimit: 11, fetchOffset: 27, extraRowMeansMore: true },
    ],
    [
      'an own LIMIT above the cap is cut, and says so',
      { limit: 500, offset: undefined },
      { rowsMax: 100 },
      { rowLimit: 100, fetchLimit: 101, fetchOffset: 0, extraRowMeansMore: true },
    ],
    [
      'a limit above the cap',
      none,
      { limit: 500, rowsMax: 100 },
      { rowLimit: 100, fetchLimit: 101, fetchOffset: 0, extraRowMeansMore: true },
    ],
  ])('%s', (_, own, request, expected) => {
    expect(rowLimits(own, request)).toEqual(expected);
  });

  test('they are printed, around a UNION too, and the ceiling is reported', () => {
    const page = { limit: 10, offset: 20, rowsMax: 100 };
    expect(compileQuery({ text: 'select event from events limit 25 offset 5', ...page })).toMatchObject({
      sql: expect.stringMatching(/ LIMIT 5 OFFSET 25$/),
      ceiling: 25,
      rowLimit: 5,
      extraRowMeansMore: false,
    });
    expect(compileQuery({ text: 'select 1 union all select 2', ...page }).sql).toBe(
      'SELECT * FROM ((SELECT 1 AS `__c0`) UNION ALL (SELECT 2 AS `__c0`)) LIMIT 11 OFFSET 20',
    );
    expect(compileQuery({ text: 'select event from events order by event limit 3 with ties', ...page })).toMatchObject({
      sql: expect.stringMatching(/ LIMIT 3 WITH TIES\)\) LIMIT 11 OFFSET 20$/),
      ceiling: null,
      rowLimit: 10,
      extraRowMeansMore: true,
    });
    expect(compileQuery({ text: 'select 1 except select 2', ...page }).sql).toBe(
      'SELECT * FROM ((SELECT 1 AS `__c0`) EXCEPT ALL (SELECT 2 AS `__c0`)) LIMIT 11 OFFSET 20',
    );
    expect(compileQuery({ text: 'select event from events limit 1 by event', ...page }).sql).toMatch(
      / LIMIT 1 BY `__t0`.`event` LIMIT 11 OFFSET 20$/,
    );
    expect(compileQuery({ text: 'select 1 limit {n}', values: { n: 3 }, rowsMax: 100 })).toMatchObject({
      ceiling: 3,
      rowLimit: 3,
    });
  });
});
