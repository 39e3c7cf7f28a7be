import { expect, test } from '@jest/globals';
import type { Queryable } from '../database.ts';
import { testProject } from '../test/drafts.ts';
import { createProjectCache } from './project-cache.ts';

test('a change of a project is read within ten seconds, a new one within two; in between there are no queries', async () => {
  let nowMs = 0;
  let there = true;
  const requested: unknown[][] = [];
  const db: Queryable = {
    query: <Row extends object>({ values }: { values: unknown[] }) => {
      requested.push(values);
      const [ids, tokens] = values as [number[], string[]];
      const isWanted = ids.includes(testProject.id) || tokens.includes(testProject.token);
      return Promise.resolve({ rows: (there && isWanted ? [testProject] : []) as Row[] });
    },
  };
  const cache = createProjectCache(db, { nowMs: () => nowMs });
  const read = async (atMs: number): Promise<unknown[]> => {
    nowMs = atMs;
    const found = await cache.load(new Set([7]), new Set(['phc_test', 'phc_new']));
    return [found.byId(7)?.id, found.byToken('phc_test')?.id, found.byToken('phc_new')];
  };
  expect(await read(0)).toEqual([7, 7, null]);
  await read(1_999);
  expect(requested).toEqual([[[7], ['phc_test', 'phc_new']]]);
  await read(2_000);
  await read(9_999);
  expect(requested.slice(1)).toEqual([
    [[], ['phc_new']],
    [[], ['phc_new']],
  ]);
  there = false;
  expect(await read(10_000)).toEqual([undefined, undefined, null]);
});
