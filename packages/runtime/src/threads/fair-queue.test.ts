import { expect, test } from '@jest/globals';
import { FairQueue } from './fair-queue.ts';

test('an owner with many jobs does not delay those with one', () => {
  const queue = new FairQueue<string>();
  for (const job of ['a1', 'a2', 'a3']) queue.add('a', job);
  queue.add('b', 'b1');
  queue.add('c', 'c1');
  expect(queue.waitingOf('a')).toBe(3);
  expect(Array.from({ length: 6 }, () => queue.take())).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', undefined]);
});

test('jobs of a paused owner wait for its end, and hold up nobody else', () => {
  const queue = new FairQueue<string>();
  queue.add('a', 'a1');
  queue.pause('a');
  queue.add('b', 'b1');
  queue.add('a', 'a2');
  expect([queue.take(), queue.take(), queue.waitingOf('a')]).toEqual(['b1', undefined, 2]);
  queue.resume('a');
  expect(queue.take()).toBe('a1');
  queue.pause('a');
  expect([queue.takeAll(), queue.waitingOf('a')]).toEqual([['a2'], 0]);
});

test('a job leaves from wherever it stands, and is not taken then', () => {
  const queue = new FairQueue<string>();
  for (const job of ['a1', 'a2', 'a3']) queue.add('a', job);
  expect([queue.remove('a', 'a2'), queue.remove('a', 'a2'), queue.remove('b', 'a1'), queue.length]).toEqual([
    true,
    false,
    false,
    2,
  ]);
  expect([queue.take(), queue.take(), queue.take(), queue.length]).toEqual(['a1', 'a3', undefined, 0]);
});
