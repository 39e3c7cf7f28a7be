import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { enoughMs, eventsByName, openBuildWorld, type BuildWorld, type TestVersion } from '../test/build-world.ts';

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
