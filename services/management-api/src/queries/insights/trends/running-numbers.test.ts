import { expect, test } from '@jest/globals';
import { smoothed, summedUp } from './running-numbers.ts';

test('each number is summed up with all before it', () => {
  expect(summedUp([1, 0, 2.5, -1])).toEqual([1, 1, 3.5, 2.5]);
});

test.each([
  [[1, 2, 6, 3, 0], 3, [1, 1, 3, 3, 3]],
  [[0.5, 2.5, 1.1], 2, [0, 1, 1]],
  [[1.5, 2], 1, [1.5, 2]],
  [[5, 7], 1_000, [5, 6]],
  [[-1, 0], 2, [-1, -1]],
])('%j smoothed over %i intervals is %j', (numbers, count, expected) => {
  expect(smoothed(numbers, count)).toEqual(expected);
});

test('a number larger than what a float holds exactly does not stay in later means', () => {
  expect(smoothed([2 ** 60, 1, 1, 1], 2)).toEqual([2 ** 60, 2 ** 59, 1, 1]);
});
