import { expect, test } from '@jest/globals';
import { slicesOf } from './mirrored-rows.ts';

// The promise: rows are read a few at a time, so that large ones do not meet in memory.

const bytes = { a: 0, b: 10_000, c: 9_000, d: 100_000, e: 0 };
const rows = [...Object.keys(bytes), 'gone'].map((id) => ({ id, projectId: 1 }));

test.each<[string[][], number]>([
  [[['a', 'b'], ['c'], ['d'], ['e', 'gone']], 13_000],
  [['a', 'b', 'c', 'd', 'e', 'gone'].map((id) => [id]), 1],
  [[['a', 'b', 'c', 'd', 'e', 'gone']], 1_000_000],
])('slices are %j, of %d bytes at most, or one row', (ids, bytesMax) => {
  const slices = slicesOf(rows, new Map(Object.entries(bytes)), bytesMax);
  expect(slices.map((slice) => slice.map(({ id }) => id))).toEqual(ids);
});

test('nothing is no slice', () => {
  expect(slicesOf([], new Map(), 1)).toEqual([]);
});
