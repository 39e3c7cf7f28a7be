import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { longAgo, openBucketBuilds, sqlOf, type BucketQuery } from '../../test/bucket-builds.ts';
import { enoughMs, openBuildWorld, type BuildWorld, type TestVersion } from '../../test/build-world.ts';
import type { Seed } from '../../test/test-api.ts';
import type { BuildStore } from '../build-store.ts';

// The whole build of the day says whether the builds of some buckets left something out (docs/decisions/incremental-builds.md).
let world: BuildWorld;
let builds: ReturnType<typeof openBucketBuilds>;
let own: Seed;

beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  builds = openBucketBuilds(world);
  own = await world.project(0);
  await insert(
    Array.from({ length: 8 }, (_, at) => `2026-01-0${at + 1} 12:00:00.000000`),
    longAgo,
  );
});
afterEach(() => world.endTest());

const insert = (times: readonly string[], came?: string): Promise<void> =>
  world.api.insertEvents(
    times.map((timestamp) => ({
      team_id: own.projectId,
      timestamp,
      ...(came !== undefined && { inserted_at: came }),
    })),
  );
const daily: BucketQuery = {
  query: sqlOf(
    'SELECT toDate(timestamp) AS day, event, count() AS n, any(distinct_id) AS one FROM events GROUP BY day, event',
  ),
};
const makeWhole = (version: TestVersion): Promise<void> => builds.age(version, () => ({ wholeAtMs: 0 }));

describe('a whole build is compared with the table of before', () => {
  test.each([
    ['a row too many', "INSERT INTO internal.{table} (c0, c1, c2, c3) VALUES (20455, 'planted', 5, '')"],
    [
      'a row twice',
      "INSERT INTO internal.{table} (c0, c1, c2, c3) SELECT c0, c1, c2, c3 FROM internal.{table} WHERE c0 = '2026-01-02'",
    ],
    [
      'another number',
      "ALTER TABLE internal.{table} UPDATE c2 = c2 + 1 WHERE c0 = '2026-01-02' SETTINGS mutations_sync = 2",
    ],
    ['a row too few', "ALTER TABLE internal.{table} DELETE WHERE c0 = '2026-01-02' SETTINGS mutations_sync = 2"],
  ])('and replaces it where that has %s', async (_difference, harm) => {
    const version = await builds.version(own, daily);
    const { tableName } = await builds.rebuild(version);
    await world.send(harm.replaceAll('{table}', String(tableName)));
    await makeWhole(version);
    const row = await builds.rebuild(version);
    expect([row.bucketsRebuilt, builds.differing()]).toEqual([null, 1]);
    await builds.expectWhole(row, own, daily);
  });

  test('in the buckets of which no event came, and in columns that two builds agree in', async () => {
    const version = await builds.version(own, daily);
    const { tableName } = await builds.rebuild(version);
    await insert(['2026-01-02 13:00:00.000000', '2026-01-09 13:00:00.000000']);
    await world.send(`ALTER TABLE internal.${tableName} UPDATE c3 = 'any other' WHERE 1 SETTINGS mutations_sync = 2`);
    await makeWhole(version);
    const row = await builds.rebuild(version);
    expect([row.bucketsRebuilt, builds.differing()]).toEqual([null, 0]);
  });
});

describe('the comparison comes when runs have the new table', () => {
  /** Builds of which the comparison waits for, or does, something else. */
  const comparing = (instead: (compare: () => ReturnType<BuildStore['find']>) => ReturnType<BuildStore['find']>) =>
    openBucketBuilds(world, (store) => ({
      ...store,
      find: (...given) =>
        given[1].queryId.endsWith('_compare') ? instead(() => store.find(...given)) : store.find(...given),
    }));

  test('and finds the one of before, also where that is not the version’s any more', async () => {
    const seen: { tableName: string | null; tables: string[] }[] = [];
    const watched = comparing(async (compare) => {
      const { tableName } = await world.row(version);
      seen.push({ tableName, tables: await world.tables() });
      return await compare();
    });
    const version = await watched.version(own, daily);
    const before = await watched.rebuild(version);
    await makeWhole(version);
    const after = await watched.rebuild(version);
    expect(after.tableName).not.toBe(before.tableName);
    expect(seen).toEqual([
      {
        tableName: after.tableName,
        tables: expect.arrayContaining([`materialized.${before.tableName}`, `materialized.${after.tableName}`]),
      },
    ]);
  });

  test('so its failure is none of the build', async () => {
    const failing = comparing(() => Promise.reject(new Error('harm')));
    const version = await failing.version(own, daily);
    await makeWhole(version);
    const row = await failing.rebuild(version);
    expect([row.bucketsRebuilt, failing.differing()]).toEqual([null, 0]);
    await failing.expectWhole(row, own, daily);
  });

  test('so it may take longer than the claim: it keeps the slot alone', async () => {
    const { promise, resolve: go } = Promise.withResolvers<void>();
    const slow = comparing(async (compare) => {
      await promise;
      return await compare();
    });
    const version = await slow.version(own, daily);
    const { tableName } = await slow.rebuild(version);
    await world.send(`ALTER TABLE internal.${tableName} DELETE WHERE c0 = '2026-01-02' SETTINGS mutations_sync = 2`);
    await makeWhole(version);
    await slow.begin(version, { leaseMs: 300 });
    const heldUntil = async (): Promise<number> => {
      const { rows } = await world.pool.query<{ held_until: Date }>(
        'SELECT held_until FROM build_slots WHERE project_id = $1',
        [own.projectId],
      );
      return rows[0]?.held_until.getTime() ?? 0;
    };
    try {
      const row = await world.completed(version, 3);
      expect(row.tableName).not.toBe(tableName);
      const first = await heldUntil();
      await eventually(async () => expect(await heldUntil()).toBeGreaterThan(first + 300), { deadlineMs: enoughMs });
    } finally {
      go();
    }
    await eventually(async () => expect([slow.differing(), await heldUntil()]).toEqual([1, 0]), {
      deadlineMs: enoughMs,
    });
  });
});
