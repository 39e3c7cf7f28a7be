import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { BuildStep } from './making/build-parts.ts';
import { enoughMs, openBuildWorld, slowQuery, type BuildWorld, type TestVersion } from '../test/build-world.ts';

let world: BuildWorld;
beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());
afterEach(() => world.endTest());

describe('a process that is killed', () => {
  test.each<BuildStep>(['created', 'filling', 'filled', 'viewed', 'switched'])(
    'when a build is %s leaves the table of before or the new one, and nothing that is not removed',
    async (step) => {
      const own = await world.project(3);
      const version = await world.version(own);
      const builder = world.builder();
      await builder.buildNow(version.versionId, enoughMs);
      const before = await world.row(version);
      await world.addEvents(own, 2);
      if (step === 'filling') world.queries.set(version.versionId, slowQuery);
      await world.makeDue(version);
      await world.killedAt(version, step);
      world.queries.delete(version.versionId);

      const during = await world.row(version);
      const isSwitched = step === 'switched';
      expect(during.tableName === before.tableName).toBe(!isSwitched);
      expect(await world.rowsOf(during, own.projectId)).toBe(`"of ${own.projectId}",${isSwitched ? 5 : 3}`);
      await builder.sweep();
      expect(await world.rowsOf(during, own.projectId)).toBe(`"of ${own.projectId}",${isSwitched ? 5 : 3}`);

      builder.start();
      const after = await world.completed(version, isSwitched ? 2 : 3);
      expect(await world.rowsOf(after, own.projectId)).toBe(`"of ${own.projectId}",5`);
      await eventually(async () => expect(await world.running()).toBe(0));
      await builder.sweep();
      expect(await world.tables()).toEqual([`internal.${after.tableName}`, `materialized.${after.tableName}`]);
    },
  );

  test.each<BuildStep>(['created', 'filling', 'filled', 'viewed'])(
    'is no different from a build that fails when it is %s: the table of before stays, and it is tried again soon',
    async (step) => {
      const own = await world.project();
      const version = await world.version(own);
      await world.builder().buildNow(version.versionId, enoughMs);
      const before = await world.row(version);
      await world.makeDue(version);
      const onStep = async (at: BuildStep): Promise<void> => {
        if (at === step) throw new Error('harm');
        await Promise.resolve();
      };
      await world.builder({ onStep }).buildNow(version.versionId, enoughMs);
      expect(await world.row(version)).toMatchObject({
        status: 'Failed',
        tableName: before.tableName,
        rows: 1n,
        error: expect.stringMatching(/./),
      });
      const { next_build_at, retries } = await world.claimOf(version);
      expect([retries, next_build_at.getTime() - Date.now() < 60_000]).toEqual([1, true]);
      expect(await world.tables()).toEqual([`internal.${before.tableName}`, `materialized.${before.tableName}`]);
    },
  );
});

describe('a process that stops', () => {
  test('ends its build in ClickHouse, removes its table, and another takes the build at once', async () => {
    const own = await world.project();
    const version = await world.version(own, slowQuery);
    const builder = world.builder();
    await builder.buildNow(version.versionId, 1);
    await eventually(async () => expect(await world.running()).toBe(1));
    await builder.stop();
    expect((await world.row(version)).status).toBe('Cancelled');
    expect(builder.ends.map(({ outcome }) => outcome)).toEqual(['stopped']);
    expect([await world.running(), await world.tables()]).toEqual([0, []]);
    world.queries.delete(version.versionId);
    await world.builder().buildNow(version.versionId, enoughMs);
    await world.completed(version, 2);
  });
});

describe('a version that is changed during its build', () => {
  test.each([
    ['disabled', async (version: TestVersion) => await world.change(version, 'disable')],
    [
      'deleted',
      async ({ versionId }: TestVersion) =>
        await world.pool.query('DELETE FROM endpoint_versions WHERE id = $1', [versionId]),
    ],
    [
      'deleted with its endpoint, as the API does',
      async ({ versionId }: TestVersion) =>
        await world.pool.query(
          'UPDATE endpoints SET deleted_at = now() WHERE id = (SELECT endpoint_id FROM endpoint_versions WHERE id = $1)',
          [versionId],
        ),
    ],
  ])('%s: the build is void and leaves nothing', async (_name, change) => {
    const version = await world.version(await world.project());
    const { onStep, reached, go } = world.heldAt('viewed');
    const builder = world.builder({ onStep });
    const waited = builder.buildNow(version.versionId, enoughMs);
    await reached;
    await change(version);
    go();
    await waited;
    expect(builder.ends.map(({ outcome }) => outcome)).toEqual(['void']);
    expect(await world.tables()).toEqual([]);
  });

  test('modified: the build is void, no table answers runs, and another build is due', async () => {
    const version = await world.version(await world.project());
    await world.builder().buildNow(version.versionId, enoughMs);
    await world.makeDue(version);
    const { onStep, reached, go } = world.heldAt('viewed');
    const builder = world.builder({ onStep });
    const waited = builder.buildNow(version.versionId, enoughMs);
    await reached;
    await world.change(version, 'modify');
    expect(await world.row(version)).toMatchObject({ status: 'Modified', tableName: null });
    go();
    await waited;
    expect(builder.ends.map(({ outcome }) => outcome)).toEqual(['void']);
    await world.builder().buildNow(version.versionId, enoughMs);
    expect((await world.row(version)).status).toBe('Completed');
  });

  test.each([
    ['version', 'UPDATE endpoint_versions SET is_active = false WHERE id = $1'],
    [
      'endpoint',
      'UPDATE endpoints SET is_active = false WHERE id = (SELECT endpoint_id FROM endpoint_versions WHERE id = $1)',
    ],
    [
      'project',
      'UPDATE projects SET deleted_at = now() WHERE id = (SELECT project_id FROM materializations WHERE version_id = $1)',
    ],
  ])('is not built while its %s is not active', async (_name, sql) => {
    const version = await world.version(await world.project());
    await world.pool.query(sql, [version.versionId]);
    await world.builder().buildNow(version.versionId, enoughMs);
    expect((await world.claimOf(version)).build_number).toBe(0);
  });
});
