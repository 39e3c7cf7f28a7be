import { expect, test } from '@jest/globals';
import type { SquashClickhouse } from './squash-clickhouse.ts';
import type { JobLock } from '../jobs/job-lock.ts';
import { squashOverrides, type SquashOptions, type SquashReport } from './squash-overrides.ts';
import { countChosen, monthsToRewrite, removeOverrides, rewriteMonth, unfinishedRewrites } from './squash-sql.ts';

/** ClickHouse as the job sees it: how many overrides each chunk has, and what is left to rewrite at each poll. */
function run(
  chunks: number[],
  left: { month: number; events: string }[][],
  { lost = Infinity, more = {} }: { lost?: number; more?: Partial<SquashOptions> } = {},
) {
  const done: string[] = [];
  let insists = 0;
  const nameOf = (sql: string): string => {
    if (sql === removeOverrides('', 'hidden').sql) return 'remove hidden';
    if (sql === removeOverrides('', 'all').sql) return 'remove all';
    const month = [202604, 202605].find((one) => sql === rewriteMonth('', one).sql);
    return month === undefined ? (/^(TRUNCATE|INSERT)/.exec(sql)?.[0] ?? sql) : `rewrite ${month}`;
  };
  const clickhouse: SquashClickhouse = {
    run: ({ sql }) => Promise.resolve(void done.push(nameOf(sql))),
    rows: <Row>({ sql }: { sql: string }) => {
      if (sql === unfinishedRewrites.sql) return Promise.resolve([{ unfinished: '0', reason: '' }] as Row[]);
      if (sql === countChosen('').sql) return Promise.resolve([{ chosen: String(chunks.shift() ?? 0) }] as Row[]);
      if (sql === monthsToRewrite('').sql) return Promise.resolve((left.shift() ?? []) as Row[]);
      throw new Error(`asked: ${sql}`);
    },
    close: () => Promise.resolve(),
  };
  const lock: JobLock = {
    assertHeld() {
      done.push('insist');
      return ++insists > lost ? Promise.reject(new Error('the lock is gone')) : Promise.resolve();
    },
  };
  const report: Promise<SquashReport> = squashOverrides(clickhouse, lock, {
    ageMs: 1,
    chunkMax: 2,
    settleMs: 0,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  });
  return { report, done };
}

test('overrides go when no event carries another person any more, those that are hidden first; chunk by chunk, until there are no more', async () => {
  const april = { month: 202604, events: '3' };
  const { report, done } = run([2, 1], [[april, { month: 202605, events: '4' }], [{ ...april, events: '1' }], [], []]);
  expect(await report).toEqual({ overrides: 3, events: 8 });
  const removal = ['insist', 'remove hidden', 'remove all', 'TRUNCATE'];
  expect(done).toEqual([
    'insist',
    'TRUNCATE',
    'INSERT',
    'insist',
    'rewrite 202604',
    'insist',
    'rewrite 202605',
    'insist',
    'rewrite 202604',
    ...removal,
    'insist',
    'TRUNCATE',
    'INSERT',
    ...removal,
  ]);
});

test('while events with old persons keep coming, their overrides stay', async () => {
  const { report, done } = run(
    [1],
    Array.from({ length: 50 }, () => [{ month: 202604, events: '1' }]),
  );
  await expect(report).rejects.toThrow('keep coming');
  expect(done.filter((one) => one.startsWith('remove'))).toEqual([]);
});

test.each([
  [0, 'INSERT'],
  [1, 'rewrite 202604'],
  [2, 'remove hidden'],
])('who has lost the lock after %i looks at it does nothing more: not %s', async (lost, next) => {
  const { report, done } = run([1], [[{ month: 202604, events: '1' }]], { lost });
  await expect(report).rejects.toThrow('the lock is gone');
  expect(done).not.toContain(next);
});

test('a run that is stopped removes nothing', async () => {
  const { report, done } = run([1], [], { more: { signal: AbortSignal.abort() } });
  await expect(report).rejects.toThrow('the rest is for the next run');
  expect(done.filter((one) => one.startsWith('remove'))).toEqual([]);
});
