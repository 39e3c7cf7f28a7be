import { expect, test } from '@jest/globals';
import { background } from './background.ts';

test('work begins at the start, and the stop waits for its end', async () => {
  const happened: string[] = [];
  const part = background(async (signal) => {
    happened.push('begun');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await Promise.resolve();
    happened.push('ended');
  });
  expect(happened).toEqual([]);
  part.start();
  expect(happened).toEqual(['begun']);
  await part.stop();
  expect(happened).toEqual(['begun', 'ended']);
});

test('what was never started, or has nothing to do, is stopped at once', async () => {
  await expect(background(() => Promise.reject(new Error('begun'))).stop()).resolves.toBeUndefined();
  const idle = background(() => undefined);
  idle.start();
  await expect(idle.stop()).resolves.toBeUndefined();
});
