import { describe, expect, test } from '@jest/globals';
import { createRunningQueries, queryNameOf } from './running-queries.ts';
import type { ProjectAccess } from '../../auth/granted-access.ts';

const name = { projectId: 1, userId: 2, clientQueryId: 'q' };
const untilStopped = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );

function queries() {
  const reported: unknown[] = [];
  const made = createRunningQueries('me', (...message) => Promise.resolve(reported.push(message)));
  const change = (
    keys: string[],
    projectId: number | null = 1,
    topic: 'query_cancelled' | 'user' = 'query_cancelled',
  ) => made.onChange([{ topic, projectId, keys }]);
  return { made, reported, change };
}

describe('queries that run under a name', () => {
  test("have one by caller, project and the caller's own name; holders of run tokens have none", () => {
    const access = { project: { id: 1 }, caller: { userId: 2 } } as ProjectAccess;
    const names = [
      queryNameOf(access, 'q'),
      queryNameOf(access, null),
      queryNameOf({ ...access, runToken: {} } as ProjectAccess, 'q'),
    ];
    expect(names).toEqual([name, null, null]);
  });

  test('end when they are cancelled, here and in other processes, with the reason', async () => {
    const { made, change, reported } = queries();
    const both = [
      made.run(name, AbortSignal.timeout(60_000), untilStopped),
      made.run(name, AbortSignal.timeout(60_000), untilStopped),
    ].map(outcome);
    await made.cancel(name);
    expect(await Promise.all(both)).toEqual(['query_cancelled', 'query_cancelled']);
    expect(reported).toEqual([[name, 'me']]);
    const third = outcome(made.run(name, AbortSignal.timeout(60_000), untilStopped));
    change(['2', 'q', 'someone']);
    expect(await third).toBe('query_cancelled');
  });

  test('run on at changes of others, and at their own, which come late', async () => {
    const { made, change } = queries();
    const stop = new AbortController();
    const running = outcome(made.run(name, stop.signal, untilStopped));
    for (const other of [
      { ...name, projectId: 2 },
      { ...name, userId: 3 },
      { ...name, clientQueryId: 'x' },
    ])
      await made.cancel(other);
    change(['2', 'q', 'me']);
    change(['2', 'q', 'someone'], 2);
    change(['2', 'q', 'someone'], null);
    change(['2', 'q', 'someone'], 1, 'user');
    change(['2']);
    stop.abort();
    expect(await running).toBe('stopped');
  });

  test('without a name, and after its end, nothing is cancelled', async () => {
    const { made } = queries();
    const stop = new AbortController();
    const nameless = outcome(made.run(null, stop.signal, untilStopped));
    await made.run(name, stop.signal, () => Promise.resolve(1));
    await made.cancel(name);
    stop.abort();
    expect(await nameless).toBe('stopped');
  });
});
