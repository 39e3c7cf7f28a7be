import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fillDatabase, readsOf } from '../../../test/plans.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import { readIdPage } from '../fields/id-page.ts';
import { readDefinitionQuery } from './definition-listing.ts';
import { listedDefinitions } from './definition-queries.ts';

// Plans of the list's statements over 20,000 definitions of each of two projects: no page reads a table from end to end, or sorts one.

const definitions = 20_000;
const page = { limit: 100, offset: 0 };
const readNone = () => Promise.resolve([]);
let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  const other = await api.seed('Other');
  await fillDatabase(api.databaseUrl, async (pool) => {
    await pool.query(
      `INSERT INTO score_definitions (id, project_id, name, description, kind, archived, tags, created_at, updated_at)
       SELECT gen_random_uuid(), project, 'Scorer ' || n * 7919 % 20011, CASE WHEN n % 50 = 0 THEN 'About tone ' || n ELSE '' END,
         CASE n % 3 WHEN 0 THEN 'boolean' ELSE 'numeric' END, n % 10 = 0, CASE WHEN n % 100 = 0 THEN ARRAY['rare'] ELSE ARRAY['usual'] END,
         now() - n * interval '1 minute', now() - n * 7919 % 20011 * interval '1 minute'
       FROM generate_series(1, $1::integer) n, unnest($2::integer[]) AS project`,
      [definitions, [acme.projectId, other.projectId]],
    );
    await pool.query(
      "INSERT INTO score_definition_versions (id, definition_id, version, config) SELECT gen_random_uuid(), id, 1, '{}' FROM score_definitions",
    );
  });
}, 60_000);
afterAll(() => api?.stop());

describe('definitions are listed, and counted, by index', () => {
  test.each<[string, Parameters<typeof readDefinitionQuery>[0]]>([
    ['score_definitions_project_id_archived_name_id_idx', {}],
    ['score_definitions_project_id_archived_kind_idx', {}],
    ['score_definitions_project_id_archived_kind_idx', { kind: 'numeric' }],
    ['score_definitions_project_id_archived_name_id_idx', { order_by: '-name' }],
    ['score_definitions_project_id_archived_kind_id_idx', { order_by: 'kind' }],
    ['score_definitions_project_id_archived_kind_id_idx', { order_by: '-kind' }],
    ['score_definitions_project_id_archived_created_at_id_idx', { order_by: '-created_at' }],
    ['score_definitions_project_id_archived_updated_at_id_idx', { order_by: 'updated_at' }],
    ['score_definitions_project_id_archived_current_version_id_idx', { order_by: '-current_version' }],
    ['score_definitions_search_idx', { search: 'tone 4711' }],
    ['score_definitions_search_idx', { search: 'Scorer 1234', order_by: '-updated_at', archived: 'true' }],
    ['score_definitions_tags_idx', { tags: '["rare"]' }],
    ['score_definitions_tags_idx', { tags: '["rare","usual"]', tag_match: 'all' }],
  ])('by %s: %j', async (index, query) => {
    const listing = readDefinitionQuery(query);
    if (listing === null) throw new Error('nothing is read for composite scorers');
    const listed = listedDefinitions(acme.projectId, listing);
    const { sequential, indexes } = await readsOf(api.prisma, (reader) => readIdPage(reader, listed, page, readNone));
    expect([sequential, indexes]).toEqual([[], expect.arrayContaining([index])]);
  });
});
