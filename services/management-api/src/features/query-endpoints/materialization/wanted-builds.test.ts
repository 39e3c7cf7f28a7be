import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { RunnableMaterialization, RunnableVersion } from '../store/runnable-endpoint.ts';
import { createWantedBuilds } from './wanted-builds.ts';

// Runs ask for a build that they need, and neither wait for it nor fail because of it (contract/endpoints 6.3).
let asked: string[];
let warned: unknown[];
let outcome: () => Promise<unknown>;
beforeEach(() => {
  [asked, warned, outcome] = [[], [], () => Promise.resolve({ rows: [] })];
});

function opened() {
  const note = (what: string): Promise<unknown> => {
    asked.push(what);
    return outcome();
  };
  return createWantedBuilds({
    pool: { query: (_sql: string, [id]: string[]) => note(`build ${String(id)}`) },
    prisma: { $transaction: () => note('wake') },
    logger: { warn: (facts: object) => void warned.push(facts) },
    materializedMax: 1,
  } as unknown as Parameters<typeof createWantedBuilds>[0]);
}
const version = (id: string, materialization: RunnableMaterialization | null): RunnableVersion =>
  ({ id, materialization }) as RunnableVersion;
const stale: RunnableMaterialization = { table: null, isHibernated: false };

describe('a wanted build', () => {
  test('is asked for once, however many runs want it', () => {
    const builds = opened();
    for (const id of ['v', 'v', 'w', 'v']) builds.want(version(id, stale));
    expect(asked).toEqual(['build v', 'build w']);
  });

  test('of a version that hibernates wakes it', () => {
    opened().want(version('v', { ...stale, isHibernated: true }));
    expect(asked).toEqual(['wake']);
  });

  test('of a version that is not materialized any more is not asked for', () => {
    opened().want(version('v', null));
    expect(asked).toEqual([]);
  });

  test('that Postgres does not take is logged, and fails nothing', async () => {
    const err = new Error('away');
    outcome = () => Promise.reject(err);
    opened().want(version('v', stale));
    await eventually(() => expect(warned).toEqual([{ err, versionId: 'v' }]));
  });
});
