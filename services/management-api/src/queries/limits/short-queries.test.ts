import { describe, expect, test } from '@jest/globals';
import { createShortQueries } from './short-queries.ts';

describe('queries that may go before others (contract/endpoints 4.6)', () => {
  test('are those whose text took less than a quarter of a second, and none that was never seen', () => {
    const queries = createShortQueries();
    const [first, second] = [queries.begin(1, 'a'), queries.begin(1, 'b')];
    expect([first.isShort, second.isShort]).toEqual([false, false]);
    first.ended(0.2);
    second.ended(0.3);
    expect([queries.begin(1, 'a').isShort, queries.begin(1, 'b').isShort]).toEqual([true, false]);
  });

  test('are known by project: one learns nothing from how long another takes', () => {
    const queries = createShortQueries();
    queries.begin(1, 'a').ended(0.01);
    expect([queries.begin(2, 'a').isShort, queries.begin(1, 'a').isShort]).toEqual([false, true]);
  });

  test('are not those that were long a run or two ago: a text with other values may take as long again', () => {
    const queries = createShortQueries();
    queries.begin(1, 'a').ended(1.5);
    const seen = [0.01, 0.01, 0.01, 0.01].map((seconds) => {
      const { isShort, ended } = queries.begin(1, 'a');
      ended(seconds);
      return isShort;
    });
    expect(seen).toEqual([false, false, false, true]);
  });

  test('are not those that failed soon; one that failed late is no longer short', () => {
    const queries = createShortQueries();
    queries.begin(1, 'new').failed(0.001);
    expect(queries.begin(1, 'new').isShort).toBe(false);
    queries.begin(1, 'long').ended(1.5);
    for (let time = 0; time < 5; time++) queries.begin(1, 'long').failed(0.001);
    expect(queries.begin(1, 'long').isShort).toBe(false);
    queries.begin(1, 'short').ended(0.01);
    queries.begin(1, 'short').failed(60);
    expect(queries.begin(1, 'short').isShort).toBe(false);
  });

  test('that failed make room for others of their project', () => {
    const queries = createShortQueries();
    for (const sql of ['a', 'b', 'c']) queries.begin(1, sql).ended(0.01);
    const [first] = [queries.begin(1, 'a'), queries.begin(1, 'b')];
    expect(queries.begin(1, 'c').isShort).toBe(false);
    first.failed(0.01);
    expect(queries.begin(1, 'c').isShort).toBe(true);
  });

  test('are at most two of one project at a time', () => {
    const queries = createShortQueries();
    for (const sql of ['a', 'b', 'c']) queries.begin(1, sql).ended(0.01);
    queries.begin(2, 'a').ended(0.01);
    const [first, second, third] = [queries.begin(1, 'a'), queries.begin(1, 'b'), queries.begin(1, 'c')];
    expect([first.isShort, second.isShort, third.isShort, queries.begin(2, 'a').isShort]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    third.ended(0.01);
    expect(queries.begin(1, 'c').isShort).toBe(false);
    first.ended(0.01);
    expect(queries.begin(1, 'c').isShort).toBe(true);
  });
});
