import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fillDatabase, readsOf } from '../../../test/plans.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import { readIdPage } from '../../../lists/id-page.ts';
import { readSetQuery } from './set-listing.ts';
import { listedSets, readSets } from './set-queries.ts';

// Plans of the list's statements over 20,000 sets of each of two projects, a fiftieth of them without a file, and 500 releases of each: none
// reads the table of sets from end to end.

let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  const projects = [acme.projectId, (await api.seed('Other')).projectId];
  await fillDatabase(api.databaseUrl, async (pool) => {
    await pool.query(
      `INSERT INTO error_tracking_releases (id, project_id, hash_id, version, project, metadata)
       SELECT gen_random_uuid(), project, 'h' || n, '1.' || n, 'shop', jsonb_build_object('git', jsonb_build_object('commit_id', md5(n::text)))
       FROM generate_series(1, 500) n, unnest($1::integer[]) AS project`,
      [projects],
    );
    await pool.query(
      `INSERT INTO symbol_sets (id, project_id, ref, release_id, storage_key, created_at, last_used_at)
       SELECT gen_random_uuid(), e.project_id, md5(e.project_id || '-' || n), e.id, CASE WHEN n % 50 > 0 THEN 'a/' || gen_random_uuid() END,
         now() - n * interval '1 minute', CASE WHEN n % 7 > 0 THEN now() - n * 7919 % 20011 * interval '1 minute' END
       FROM generate_series(1, 20000) n JOIN error_tracking_releases e ON e.hash_id = 'h' || n % 500 + 1`,
    );
  });
}, 60_000);
afterAll(() => api?.stop());

test.each<[string, Parameters<typeof readSetQuery>[0]]>([
  ['symbol_sets_project_id_created_at_id_idx', {}],
  ['symbol_sets_valid_idx', {}],
  ['symbol_sets_invalid_idx', { status: 'invalid' }],
  ['symbol_sets_project_id_ref_key', { order_by: 'ref' }],
  ['symbol_sets_project_id_ref_key', { ref: 'x' }],
  ['symbol_sets_used_idx', { order_by: 'last_used' }],
  ['symbol_sets_used_idx', { order_by: '-last_used' }],
  ['symbol_sets_search_idx', { search: 'abcdef' }],
  ['symbol_sets_search_idx', { search: 'abcdef', order_by: 'last_used' }],
  ['symbol_sets_release_id_idx', { search: 'abcdef' }],
])('%s: %j', async (index, query) => {
  const listed = listedSets(acme.projectId, readSetQuery(query));
  const { sequential, indexes } = await readsOf(api.prisma, (reader) =>
    readIdPage(reader, listed, { limit: 100, offset: 0 }, (ids) => readSets(reader, acme.projectId, ids)),
  );
  expect([sequential.filter((name) => name === 'symbol_sets'), indexes]).toEqual([[], expect.arrayContaining([index])]);
});
