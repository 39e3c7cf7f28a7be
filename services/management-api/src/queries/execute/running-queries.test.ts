import { describe, expect, test } from '@jest/globals';
import { createRunningQueries, queryNameOf } from './running-queries.ts';
import type { ProjectAccess } from '../../auth/granted-access.ts';

const name = { projectId: 1, userId: 2, clientQueryId: 'q' };
const untilStopped = (signal: AbortSignal) => new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
const outcome = (work: Promise<unknown>) => work.then(() => 'done', (error: { code?: string; message: string }) => error.code ?? error.message);

function queries() {
  const told: unknown[] = [];
  const made = createRunningQueries('me', (...news) => Promise.resolve(told.push(news)));
  const hear = (keys: string[], projectId: number | null = 1, topic: 'query_cancelled' | 'user' = 'query_cancelled') => made.hear([{ topic, projectId, keys }]);
  return { made, told, hear };
}

describe('queries that run under a name', () => {
  test('have one by who calls, in which project, and what they call it; who holds a run token is nobody', () => {
    const access = { project: { id: 1 }, caller: { userId: 2 } } as ProjectAccess;
    const names = [queryNameOf(access, 'q'), queryNameOf(access, null), queryNameOf({ ...access, runToken: {} } as ProjectAccess, 'q')];
    expect(names).toEqual([name, null, null]);
  });

  test('end when they are cancelled, here and as others hear, and are told why', async () => {
    const { made, hear, told } = queries();
    const both = [made.within(name, AbortSignal.timeout(60_000), untilStopped), made.within(name, AbortSignal.timeout(60_000), untilStopped)].map(outcome);
    await made.cancel(name);
    expect(await Promise.all(both)).toEqual(['query_cancelled', 'query_cancelled']);
    expect(told).toEqual([[name, 'me']]);
    const third = outcome(made.within(name, AbortSignal.timeout(60_000), untilStopped));
    hear(['2', 'q', 'someone']);
    expect(await third).toBe('query_cancelled');
  });

  test('run on at the news of others, and at the own news, which come late', async () => {
    const { made, hear } = queries();
    const stop = new AbortController();
    const running = outcome(made.within(name, stop.signal, untilStopped));
    for (const other of [{ ...name, projectId: 2 }, { ...name, userId: 3 }, { ...name, clientQueryId: 'x' }]) await made.cancel(other);
    hear(['2', 'q', 'me']);
    hear(['2', 'q', 'someone'], 2);
    hear(['2', 'q', 'someone'], null);
    hear(['2', 'q', 'someone'], 1, 'user');
    hear(['2']);
    stop.abort();
    expect(await running).toBe('stopped');
  });

  test('without a name, and after its end, nothing is cancelled', async () => {
    const { made } = queries();
    const stop = new AbortController();
    const nameless = outcome(made.within(null, stop.signal, untilStopped));
    await made.within(name, stop.signal, () => Promise.resolve(1));
    await made.cancel(name);
    stop.abort();
    expect(await nameless).toBe('stopped');
  });
});
