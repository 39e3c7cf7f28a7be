import { describe, expect, test } from '@jest/globals';
import { hasMoreShapesThan } from './count-shapes.ts';

/** The number itself, to within the few that share a place in the table. */
function shapesOf(value: unknown): number {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  let [low, high] = [0, 30_000];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hasMoreShapesThan(bytes, middle, 100)) low = middle + 1;
    else high = middle;
  }
  return low;
}

describe('beginnings of key lists', () => {
  test.each<[unknown, number]>([
    [{}, 0],
    [[1, 'a:b', { x: 'y:{"z":1}' }], 1],
    [{ a: 1, b: 2, c: 3 }, 3],
    [[{ a: 1, b: 2 }, { a: 5, b: 6 }, { a: 7 }], 2],
    [
      [
        { a: 1, b: 2 },
        { b: 1, a: 2 },
      ],
      4,
    ],
    [{ a: { a: { a: 1 } } }, 1],
    [{ a: { b: 1 }, c: [{ b: 1, d: 1 }] }, 4],
    ['{"a\\"":1,"a\\\\":{"b":2},"c":3}', 4],
  ])('%j has %i', (value, expected) => {
    expect(shapesOf(value)).toBe(expected);
  });

  test('objects that look alike are few, objects of ever new keys are many', () => {
    const alike = Array.from({ length: 400 }, () =>
      Object.fromEntries(Array.from({ length: 50 }, (_, key) => [`key ${key}`, key])),
    );
    expect(shapesOf(alike)).toBe(50);
    const different = alike.map((_, index) =>
      Object.fromEntries(Array.from({ length: 50 }, (__, key) => [`key ${index} ${key}`, key])),
    );
    const count = shapesOf(different);
    expect(count).toBeGreaterThan(19_900);
    expect(count).toBeLessThanOrEqual(20_000);
  });

  test('deeper than promised counts as too many', () => {
    expect(hasMoreShapesThan(Buffer.from('[[[[]]]]'), 5, 3)).toBe(true);
  });
});
