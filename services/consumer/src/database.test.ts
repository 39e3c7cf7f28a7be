import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createRetry } from './stream/retry.ts';
import { withSigns, type Database, type Queryable } from './database.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const statement = { name: 'slow', text: 'SELECT 1', values: [] };

/** Answers each statement after so long. */
function replyingAfter(ms: number): Database {
  const one: Queryable = { query: () => new Promise((resolve) => setTimeout(() => resolve({ rows: [] }), ms)) };
  return { ...one, transaction: (work) => work(one) };
}

test('a batch of many statements does not make Postgres unhealthy while it answers each (contract/capture 6.2)', async () => {
  const changes: string[] = [];
  const retry = createRetry({
    signal: new AbortController().signal,
    onHealthChange: () => changes.push('trouble'),
    onSlow: () => changes.push('slow'),
    isFinal: () => false,
  });
  const done = retry('postgres', async (_, alive) => {
    const db = withSigns(replyingAfter(9_000), alive);
    await db.query(statement);
    // Our work with the reply does not count as its time either.
    await replyingAfter(9_000).query(statement);
    await db.query(statement);
    await db.transaction(async (one) => {
      for (let time = 0; time < 3; time++) await one.query(statement);
    });
    return 'stored';
  });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await done).toBe('stored');
  expect(changes).toEqual([]);
});
