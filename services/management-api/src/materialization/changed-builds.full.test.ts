import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { enoughMs, openBuildWorld, type BuildWorld, type TestVersion } from '../test/build-world.ts';
import type { MaterializationChange } from './change-materialization.ts';

let world: BuildWorld;
beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());
afterEach(() => world.endTest());

test('a version is materialized with the rows of its own project, whatever its caller says of it', async () => {
  const [own, other] = [await world.version(await world.project()), await world.version(await world.project())];
  await world.change(own, 'disable');
  await world.change({ ...other, versionId: own.versionId }, 'enable');
  expect(await world.row(own)).toMatchObject({ projectId: own.projectId, endpointId: own.endpointId });
});

describe('a version that is disabled and enabled again', () => {
  test('within the grace of its table: it is built, and runs that began before still read theirs', async () => {
    const own = await world.project(3);
    const version = await world.version(own);
    const builder = world.builder({ graceMs: 3_600_000 });
    await builder.buildNow(version.versionId, enoughMs);
    const before = await world.row(version);
    await world.change(version, 'disable');
    await world.change(version, 'enable');
    await builder.buildNow(version.versionId, enoughMs);
    const after = await world.row(version);
    expect([after.status, after.error]).toEqual(['Completed', '']);
    expect(after.tableName).not.toBe(before.tableName);
    for (const row of [before, after]) expect(await world.rowsOf(row, own.projectId)).toBe(`"of ${own.projectId}",3`);
  });

  test('during its build: that build is void, and neither takes nor harms the new one’s place', async () => {
    const own = await world.project(3);
    const version = await world.version(own);
    const { onStep, reached, go } = world.heldAt('viewed');
    const late = world.builder({ onStep, leaseMs: 150 });
    const waited = late.buildNow(version.versionId, enoughMs);
    await reached;
    await world.change(version, 'disable');
    await world.change(version, 'enable');
    await world.builder().buildNow(version.versionId, enoughMs);
    const { tableName } = await world.completed(version, 1);
    go();
    await waited;
    expect(late.ends.map(({ outcome }) => outcome)).toEqual(['void']);
    const row = await world.row(version);
    expect(row).toMatchObject({ status: 'Completed', error: '', tableName });
    expect(await world.rowsOf(row, own.projectId)).toBe(`"of ${own.projectId}",3`);
    expect(await world.tables()).toEqual([`internal.${tableName}`, `materialized.${tableName}`]);
  });
});

describe('a build that is void', () => {
  test.each<[string, MaterializationChange[]]>([
    ['modified', ['modify']],
    ['disabled and enabled again', ['disable', 'enable']],
  ])('since its version was %s keeps its slot until its process lets it go', async (_name, changes) => {
    const own = await world.project();
    const [version, other] = [await world.version(own), await world.version(await world.project())];
    const { onStep, reached, go } = world.heldAt('created');
    const limited = { slots: { runningMax: 1, runningPerProjectMax: 1 } };
    const waited = world.builder({ ...limited, onStep }).buildNow(version.versionId, enoughMs);
    await reached;
    for (const change of changes) await world.change(version, change);
    const next = world.builder(limited);
    for (const { versionId } of [version, other]) await next.buildNow(versionId, 0);
    expect(next.ends).toEqual([]);
    go();
    await waited;
    for (const { versionId } of [version, other]) await next.buildNow(versionId, enoughMs);
    expect(next.ends.map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
  });

  test('whose process is gone keeps it until its claim would have ended', async () => {
    const version = await world.version(await world.project());
    const { onStep, reached } = world.heldAt('created');
    await world.beginWithoutRenewing(version, { onStep, leaseMs: 300 });
    await reached;
    await world.change(version, 'modify');
    world.builder({ slots: { runningMax: 1, runningPerProjectMax: 1 } }).start();
    expect((await world.completed(version, 3)).tableName).not.toBeNull();
  });
});

describe('another freshness', () => {
  const dueInMs = async (version: TestVersion): Promise<number> =>
    (await world.claimOf(version)).next_build_at.getTime() - Date.now();

  test('with other buckets leaves the build due now', async () => {
    const version = await world.version(await world.project());
    await world.builder().buildNow(version.versionId, enoughMs);
    for (const change of ['modify', 'reschedule'] as const) await world.change(version, change);
    expect(await dueInMs(version)).toBeLessThan(enoughMs);
    await world.builder().buildNow(version.versionId, enoughMs);
    expect((await world.row(version)).status).toBe('Completed');
  });

  test('after a failure of ours leaves the next try where it was', async () => {
    const version = await world.version(await world.project());
    await world.builder().buildNow(version.versionId, enoughMs);
    await world.makeDue(version);
    await world.builder({ onStep: () => Promise.reject(new Error('harm')) }).buildNow(version.versionId, enoughMs);
    const before = (await world.claimOf(version)).next_build_at;
    await world.change(version, 'reschedule');
    expect((await world.claimOf(version)).next_build_at).toEqual(before);
  });
});
