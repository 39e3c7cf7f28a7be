import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { longAgo, openBucketBuilds, sqlOf, type BucketQuery } from '../../test/bucket-builds.ts';
import { openBuildWorld, type BuildWorld } from '../../test/build-world.ts';
import type { BuildStore } from '../build-store.ts';

// A build by buckets that fails leaves the table of before, and the next one is right (contract/endpoints 6.1).
let world: BuildWorld;
beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());
afterEach(() => world.endTest());

const daily: BucketQuery = {
  query: sqlOf('SELECT toDate(timestamp) AS day, event, count() AS n FROM events GROUP BY day, event'),
};

type Harmed = 'typesOf' | 'createTable' | 'copy' | 'fill' | 'sizeOf' | 'createView';
/** The next call of a statement fails, before or after ClickHouse has done it. */
function harming(): { store: (own: BuildStore) => BuildStore; next: (name: Harmed, when: 'before' | 'after') => void } {
  let harm: { name: Harmed; when: 'before' | 'after' } | undefined;
  const harmed =
    <Given extends unknown[], Result>(name: Harmed, send: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const when = harm?.name === name ? harm.when : undefined;
      if (when !== undefined) harm = undefined;
      if (when === 'before') throw new Error('harm');
      const result = await send(...given);
      if (when === 'after') throw new Error('harm');
      return result;
    };
  return {
    store: (own) => ({
      ...own,
      typesOf: harmed('typesOf', (...given: Parameters<BuildStore['typesOf']>) => own.typesOf(...given)),
      createTable: harmed('createTable', (...given: Parameters<BuildStore['createTable']>) =>
        own.createTable(...given),
      ),
      copy: harmed('copy', (...given: Parameters<BuildStore['copy']>) => own.copy(...given)),
      fill: harmed('fill', (...given: Parameters<BuildStore['fill']>) => own.fill(...given)),
      sizeOf: harmed('sizeOf', (...given: Parameters<BuildStore['sizeOf']>) => own.sizeOf(...given)),
      createView: harmed('createView', (...given: Parameters<BuildStore['createView']>) => own.createView(...given)),
    }),
    next: (name, when) => void (harm = { name, when }),
  };
}

async function begin() {
  const seed = await world.project(0);
  const insert = (times: readonly string[], came?: string): Promise<void> =>
    world.api.insertEvents(
      times.map((timestamp) => ({
        team_id: seed.projectId,
        timestamp,
        ...(came !== undefined && { inserted_at: came }),
      })),
    );
  await insert(
    Array.from({ length: 8 }, (_, at) => `2026-01-0${at + 1} 12:00:00.000000`),
    longAgo,
  );
  const { store, next } = harming();
  const builds = openBucketBuilds(world, store);
  const version = await builds.version(seed, daily);
  const before = await world.row(version);
  await insert(['2026-01-02 13:00:00.000000']);
  return { seed, builds, version, before, next };
}

test.each<[name: Harmed, when: 'before' | 'after']>([
  ['typesOf', 'after'],
  ['createTable', 'before'],
  ['createTable', 'after'],
  ['sizeOf', 'after'],
  ['createView', 'before'],
  ['createView', 'after'],
])(
  '%s fails (%s ClickHouse): the table of before stays, nothing else is left, and the next build is by buckets',
  async (name, when) => {
    const { seed, builds, version, before, next } = await begin();
    next(name, when);
    await expect(builds.rebuild(version)).rejects.toThrow('Failed');
    expect(await world.row(version)).toMatchObject({ status: 'Failed', tableName: before.tableName });
    expect(await world.rowsOf(before, seed.projectId)).not.toContain(',2');
    expect(await world.tables()).toEqual([`internal.${before.tableName}`, `materialized.${before.tableName}`]);
    const after = await builds.rebuild(version);
    expect(after.bucketsRebuilt).toBe(1);
    await builds.expectWhole(after, seed, daily);
  },
);

test.each<[name: Harmed, when: 'before' | 'after']>([
  ['copy', 'before'],
  ['copy', 'after'],
  ['fill', 'before'],
  ['fill', 'after'],
])('%s fails (%s ClickHouse): the build is whole, and the next one is by buckets', async (name, when) => {
  const { seed, builds, version, next } = await begin();
  next(name, when);
  const whole = await builds.rebuild(version);
  expect(whole.bucketsRebuilt).toBeNull();
  await builds.expectWhole(whole, seed, daily);
  const after = await builds.rebuild(version);
  expect(after.bucketsRebuilt).not.toBeNull();
  await builds.expectWhole(after, seed, daily);
});
