import { expect, test } from '@jest/globals';
import { repeat } from './repeat.ts';

test('the first turn may come before the others', async () => {
  const stopping = new AbortController();
  const work = () => Promise.resolve(stopping.abort());
  const logger = { warn: () => undefined };
  await repeat(work, { everyMs: 3_600_000, firstMs: 1, signal: stopping.signal, logger, failed: 'not done' });
  expect(stopping.signal.aborted).toBe(true);
});

test('work is done again after failures, which are logged once for each time; the turn that runs is the last', async () => {
  const stopping = new AbortController();
  const logged: unknown[] = [];
  const turns = ['away', 'still away', 'done', 'away again', 'done'];
  let turn = 0;
  await repeat(
    () => {
      const how = turns[turn++];
      if (turn === turns.length) stopping.abort();
      return how === 'done' ? Promise.resolve() : Promise.reject(new Error(how));
    },
    {
      everyMs: 1,
      signal: stopping.signal,
      logger: {
        warn: (fields: unknown, text?: string) => void logged.push([(fields as { err: Error }).err.message, text]),
      },
      failed: 'not done',
    },
  );
  expect([turn, logged]).toEqual([
    5,
    [
      ['away', 'not done'],
      ['away again', 'not done'],
    ],
  ]);
});
