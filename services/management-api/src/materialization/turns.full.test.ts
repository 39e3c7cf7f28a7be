import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { enoughMs, eventsByName, openBuildWorld, type BuildWorld, type TestVersion } from '../test/build-world.ts';
import type { Seed } from '../test/test-api.ts';

let world: BuildWorld;
beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());
afterEach(() => world.endTest());

test('projects take turns: one with many builds that are due keeps no other waiting for all of them', async () => {
  const [large, small] = [await world.project(), await world.project()];
  const versions: TestVersion[] = [];
  for (const seed of [large, large, large, small]) versions.push(await world.version(seed));
  const order: string[] = [];
  const compileBuild = async (versionId: string) => {
    order.push(versionId);
    return await Promise.resolve(eventsByName);
  };
  world.builder({ compileBuild, slots: { runningMax: 1, runningPerProjectMax: 1 } }).start();
  await eventually(() => expect(order).toHaveLength(4), { deadlineMs: enoughMs });
  const [first, second, third, other] = versions.map(({ versionId }) => versionId);
  expect(order).toEqual([first, other, second, third]);
});

test('a request that waits for a build goes by the turns too', async () => {
  const [busy, other] = [await world.project(), await world.project()];
  const order: string[] = [];
  const compileBuild = async (versionId: string) => {
    order.push(versionId);
    return await Promise.resolve(eventsByName);
  };
  const builder = world.builder({ compileBuild, slots: { runningMax: 1, runningPerProjectMax: 1 } });
  const before = await world.version(busy);
  await builder.buildNow(before.versionId, enoughMs);
  const [first, second, waiting] = [await world.version(other), await world.version(busy), await world.version(busy)];
  await builder.buildNow(waiting.versionId, enoughMs);
  expect(order).toEqual([before, first, waiting].map(({ versionId }) => versionId));
  expect((await world.claimOf(second)).build_number).toBe(0);
});

test.each([
  ['its endpoint is switched off and on', async (version: TestVersion) => await world.change(version, 'disable')],
  [
    'its endpoint is deleted',
    async ({ endpointId }: TestVersion) =>
      await world.pool.query('UPDATE endpoints SET deleted_at = now() WHERE id = $1', [endpointId]),
  ],
])('a project keeps the place of its last turn when %s', async (_what, remove) => {
  const [toggling, other] = [await world.project(), await world.project()];
  const order: number[] = [];
  const projectOf = new Map<string, number>();
  const version = async (seed: Seed): Promise<TestVersion> => {
    const made = await world.version(seed);
    projectOf.set(made.versionId, seed.projectId);
    return made;
  };
  const compileBuild = async (versionId: string) => {
    order.push(projectOf.get(versionId) ?? 0);
    return await Promise.resolve(eventsByName);
  };
  const builder = world.builder({ compileBuild, slots: { runningMax: 1, runningPerProjectMax: 1 } });
  await builder.buildNow((await version(other)).versionId, enoughMs);
  const removed = await version(toggling);
  await builder.buildNow(removed.versionId, enoughMs);
  await remove(removed);
  const again = await version(toggling);
  await version(other);
  await builder.buildNow(again.versionId, enoughMs);
  const [its, others] = [toggling.projectId, other.projectId];
  expect(order).toEqual([others, its, others, its]);
});

test('the end of a build begins the next one', async () => {
  const own = await world.project();
  const [first, second] = [await world.version(own), await world.version(own)];
  const builder = world.builder({ everyMs: 3_600_000, slots: { runningMax: 1, runningPerProjectMax: 1 } });
  builder.start();
  await builder.buildNow(first.versionId, enoughMs);
  expect((await world.completed(second, 1)).tableName).not.toBeNull();
});

test('a build reads the rows of the project that has the endpoint, whatever the row says', async () => {
  const [own, other] = [await world.project(3), await world.project(2)];
  const version = await world.version(own);
  await world.pool.query('UPDATE materializations SET project_id = $2 WHERE version_id = $1', [
    version.versionId,
    other.projectId,
  ]);
  await world.builder().buildNow(version.versionId, enoughMs);
  expect(await world.rowsOf(await world.row(version), own.projectId)).toBe(`"of ${own.projectId}",3`);
});
