import { expect, test } from '@jest/globals';
import { createFairTurns } from './fair-turns.ts';

/** Turns of one at a time, whose work takes as long as it says. */
function createRig() {
  const clock = { nowMs: 0 };
  const done: string[] = [];
  const turns = createFairTurns(1, { nowMs: () => clock.nowMs });
  const run = (owner: string, ms: number) =>
    turns.run(owner, () => {
      clock.nowMs += ms;
      done.push(owner);
      return Promise.resolve();
    });
  return { clock, done, run };
}

test('whoever used little time has the next turn: slow work of one delays that of others once', async () => {
  const { done, run } = createRig();
  const work = [run('slow', 60_000)];
  for (let at = 0; at < 3; at++) work.push(run('slow', 60_000));
  for (let at = 0; at < 5; at++) work.push(run('fast', 1_000));
  await Promise.all(work);
  expect(done).toEqual(['slow', ...Array.from({ length: 5 }, () => 'fast'), 'slow', 'slow', 'slow']);
});

test('of two who wait each has half of the time, however many others one has made wait', async () => {
  const { clock, done, run } = createRig();
  const spent = { slow: 0, fast: 0 };
  const work = [
    ...Array.from({ length: 20 }, () => run('slow', 10_000)),
    ...Array.from({ length: 100 }, () => run('fast', 1_000)),
  ];
  await Promise.all(work);
  const half = done.slice(0, done.lastIndexOf('fast') + 1);
  for (const owner of half) spent[owner as keyof typeof spent] += owner === 'slow' ? 10_000 : 1_000;
  expect(spent.slow / (spent.slow + spent.fast)).toBeLessThan(0.55);
  expect(clock.nowMs).toBe(300_000);
});

test('time that nobody waited for does not count; those who used the same come as they asked', async () => {
  const { clock, done, run } = createRig();
  await run('slow', 60_000);
  clock.nowMs += 3_600_000;
  const work = [run('first', 10), run('slow', 10), run('other', 10), run('slow', 10)];
  await Promise.all(work);
  expect(done).toEqual(['slow', 'first', 'slow', 'other', 'slow']);
});
