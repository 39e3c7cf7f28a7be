import { expect, test } from '@jest/globals';
import type { Queryable } from '../database.ts';
import { createReleaseSource, releaseKey } from './release-source.ts';

const named = (projectId: number) => ({ projectId, id: undefined, hashId: 'h' });

/** A source whose statements answer with the version that is set. */
function createRig() {
  const rig = { version: '1', asked: 0 };
  const query = ({ values: [keys = []] }: { values: string[][] }) => {
    rig.asked++;
    const release = {
      hashId: 'h',
      version: rig.version,
      project: 'shop',
      createdAt: '2026-11-01T00:00:00Z',
      metadata: null,
    };
    return Promise.resolve({ rows: keys.map((key) => ({ key, releases: [release] })) });
  };
  const source = createReleaseSource({ query } as unknown as Queryable, { nowMs: () => 0 });
  const versionOf = async (projectId: number) =>
    (await source.find([named(projectId)])).get(releaseKey(named(projectId)))?.[0]?.version;
  return { rig, source, versionOf };
}

test('a release that is changed is read again, and those of other projects are not', async () => {
  const { rig, source, versionOf } = createRig();
  expect([await versionOf(7), await versionOf(70)]).toEqual(['1', '1']);
  rig.version = '2';
  expect(await versionOf(7)).toBe('1');
  source.onChange([{ topic: 'release', projectId: 7, keys: [] }]);
  expect([await versionOf(7), await versionOf(70), rig.asked]).toEqual(['2', '1', 3]);
  source.onChange('everything');
  expect(await versionOf(70)).toBe('2');
});

test('a release that is named by its id is read once, whatever versions are made up beside it', async () => {
  const { rig, source } = createRig();
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  const ofVersion = (hashId: string) => ({ projectId: 7, id, hashId });
  const asked: string[][] = [];
  const counted = createReleaseSource(
    {
      query: ({ values: [keys = []] }: { values: string[][] }) => {
        asked.push(keys);
        return Promise.resolve({ rows: [] });
      },
    } as unknown as Queryable,
    { nowMs: () => 0 },
  );
  for (const version of ['1', '2', '3']) await counted.find([ofVersion(version)]);
  expect(asked).toEqual([[`7:${id}:`, '7::1'], ['7::2'], ['7::3']]);
  const found = await source.find([ofVersion('1')]);
  expect([found.get(releaseKey(ofVersion('1')))?.map(({ hashId }) => hashId), rig.asked]).toEqual([['h', 'h'], 1]);
});
