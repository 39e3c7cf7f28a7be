import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fillDatabase, readsOf } from '../../../test/plans.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import { readIdPage } from '../../../lists/id-page.ts';
import { readDefinitionQuery } from './definition-listing.ts';
import { listedDefinitions } from './definition-queries.ts';

// Plans of the list's statements over 20,000 definitions of each of two projects: no page reads a table from end to end, or sorts one.

const definitions = 20_000;
const page = { limit: 100, offset: 0 };
const readNone = () => Promise.resolve([]);
let api: TestApi;
let acme: Seed;
/** Ids of the users who made 200 of Acme's definitions, the others of Acme's, and all of the other project's. */
let makers: Record<'few' | 'most' | 'elsewhere', number>;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  const other = await api.seed('Other');
  const few = await api.seed('Few');
  makers = { few: few.userId, most: acme.userId, elsewhere: other.userId };
  await fillDatabase(api.databaseUrl, async (pool) => {
    await pool.query(
      `INSERT INTO score_definitions (id, project_id, name, description, kind, archived, tags, created_by_id, created_at, updated_at)
       SELECT gen_random_uuid(), project, 'Scorer ' || n * 7919 % 20011, CASE WHEN n % 50 = 0 THEN 'About tone ' || n ELSE '' END,
         CASE n % 3 WHEN 0 THEN 'boolean' ELSE 'numeric' END, n % 10 = 0, CASE WHEN n % 100 = 0 THEN ARRAY['rare'] ELSE ARRAY['usual'] END,
         CASE WHEN project <> $3 THEN $6::integer WHEN n % 100 = 7 THEN $4::integer ELSE $5::integer END,
         now() - n * interval '1 minute', now() - n * 7919 % 20011 * interval '1 minute'
       FROM generate_series(1, $1::integer) n, unnest($2::integer[]) AS project`,
      [definitions, [acme.projectId, other.projectId], acme.projectId, makers.few, makers.most, makers.elsewhere],
    );
    await pool.query(
      "INSERT INTO score_definition_versions (id, definition_id, version, config) SELECT gen_random_uuid(), id, 1, '{}' FROM score_definitions",
    );
  });
}, 60_000);
afterAll(() => api?.stop());

function listReads(query: Parameters<typeof readDefinitionQuery>[0]): ReturnType<typeof readsOf> {
  const listing = readDefinitionQuery(query);
  if (listing === null) throw new Error('nothing is read for composite scorers');
  const listed = listedDefinitions(acme.projectId, listing);
  return readsOf(api.prisma, (reader) => readIdPage(reader, listed, page, readNone));
}

describe('definitions are listed, and counted, by index', () => {
  test.each<[string, Parameters<typeof readDefinitionQuery>[0]]>([
    ['score_definitions_project_id_archived_name_id_idx', {}],
    ['score_definitions_project_id_archived_kind_created_by_id_idx', {}],
    ['score_definitions_project_id_archived_kind_created_by_id_idx', { kind: 'numeric' }],
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
    const { sequential, indexes } = await listReads(query);
    expect([sequential, indexes]).toEqual([[], expect.arrayContaining([index])]);
  });

  const byMaker = 'score_definitions_project_id_archived_kind_created_by_id_idx';
  test.each<[keyof typeof makers, Parameters<typeof readDefinitionQuery>[0], string[]]>([
    ['few', {}, [byMaker]],
    ['few', { kind: 'numeric', order_by: '-updated_at' }, [byMaker]],
    ['most', {}, [byMaker, 'score_definitions_project_id_archived_name_id_idx']],
    ['most', { order_by: '-updated_at' }, [byMaker, 'score_definitions_project_id_archived_updated_at_id_idx']],
    ['elsewhere', {}, [byMaker]],
    ['elsewhere', { order_by: 'created_at' }, [byMaker]],
  ])('of who made %s of them: %j', async (maker, query, expected) => {
    const { sequential, indexes } = await listReads({ ...query, created_by: String(makers[maker]) });
    expect([sequential, indexes]).toEqual([[], expected]);
  });
});
