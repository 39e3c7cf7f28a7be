import { expect, test } from '@jest/globals';
import { limitInflating } from './inflate-limiter.ts';

const anybody = (): string => 'anybody';

/** Work that is under way until its end is called. */
function held(): { work: () => Promise<string>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { work: () => promise, end: () => resolve('done') };
}

test('a body without a slot waits for a second, gets 503, and takes no slot afterwards', async () => {
  const [one, two] = [held(), held()];
  const first = limitInflating(anybody, one.work);
  const second = limitInflating(anybody, two.work);
  let ran = 0;
  const count = (): Promise<number> => Promise.resolve(++ran);
  const started = performance.now();
  const crowd = await Promise.allSettled(Array.from({ length: 50 }, () => limitInflating(anybody, count)));
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(
    crowd.every((one) => one.status === 'rejected' && (one.reason as { reply: string }).reply === 'overloaded'),
  ).toBe(true);
  const patient = [limitInflating(anybody, count), limitInflating(anybody, count), limitInflating(anybody, count)];
  one.end();
  expect(await Promise.all([first, ...patient])).toEqual(['done', 1, 2, 3]);
  two.end();
  expect(await second).toBe('done');
  expect(
    await Promise.all([limitInflating(anybody, count), limitInflating(anybody, count), limitInflating(anybody, count)]),
  ).toEqual([4, 5, 6]);
});

test('work that fails gives its slot back', async () => {
  const failing = Array.from({ length: 5 }, () => limitInflating(anybody, () => Promise.reject(new Error('broken'))));
  for (const one of await Promise.allSettled(failing)) expect(one.status).toBe('rejected');
  expect(await limitInflating(anybody, () => Promise.resolve('fine'))).toBe('fine');
});

test('senders take turns: a sender of one body does not wait for the hundred of another', async () => {
  const [one, two] = [held(), held()];
  const order: string[] = [];
  const run = (sender: string, name: string): Promise<number> =>
    limitInflating(
      () => sender,
      () => Promise.resolve(order.push(name)),
    );
  const busy = [limitInflating(() => 'many', one.work), limitInflating(() => 'many', two.work)];
  const many = Array.from({ length: 100 }, (_, index) => run('many', `many ${index}`));
  const others = [run('a', 'a 0'), run('b', 'b 0'), run('a', 'a 1')];
  one.end();
  await Promise.all([...many, ...others]);
  two.end();
  await Promise.all(busy);
  expect(order.slice(0, 6)).toEqual(['many 0', 'a 0', 'b 0', 'many 1', 'a 1', 'many 2']);
  expect(order).toHaveLength(103);
});
