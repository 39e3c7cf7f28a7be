import { describe, expect, test } from '@jest/globals';
import { createShortQueries } from './short-queries.ts';

describe('short queries, which may overtake others (contract/endpoints 4.6)', () => {
  test('took at most a quarter of a second before; an unknown text is not short', () => {
    const queries = createShortQueries();
    const [first, second] = [queries.begin(1, 'a'), queries.begin(1, 'b')];
    expect([first.isShort, second.isShort]).toEqual([false, false]);
    first.ended(0.2);
    second.ended(0.3);
    expect([queries.begin(1, 'a').isShort, queries.begin(1, 'b').isShort]).toEqual([true, false]);
  });

  test('are known for each project apart', () => {
    const queries = createShortQueries();
    queries.begin(1, 'a').ended(0.01);
    expect([queries.begin(2, 'a').isShort, queries.begin(1, 'a').isShort]).toEqual([false, true]);
  });

  test('do not include a text that was long a run or two ago: with other values it may take as long again', () => {
    const queries = createShortQueries();
    queries.begin(1, 'a').ended(1.5);
    const seen = [0.01, 0.01, 0.01, 0.01].map((seconds) => {
      const { isShort, ended } = queries.begin(1, 'a');
      ended(seconds);
      return isShort;
    });
    expect(seen).toEqual([false, false, false, true]);
  });

  test('do not include a text that failed early; one that fails late is no longer short', () => {
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

  test('give their place to others of the project when they fail', () => {
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
