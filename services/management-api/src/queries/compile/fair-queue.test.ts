import { expect, test } from '@jest/globals';
import { FairQueue } from './fair-queue.ts';

test('whoever sends many waits behind those who send one', () => {
  const queue = new FairQueue<string>();
  for (const job of ['a1', 'a2', 'a3']) queue.add('a', job);
  queue.add('b', 'b1');
  queue.add('c', 'c1');
  expect(queue.waitingOf('a')).toBe(3);
  expect(Array.from({ length: 6 }, () => queue.take())).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', undefined]);
});
