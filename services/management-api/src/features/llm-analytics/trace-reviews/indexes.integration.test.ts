import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fillDatabase, readsOf } from '../../../test/plans.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import { readIdPage } from '../../../lists/id-page.ts';
import { readReviewQuery } from './review-listing.ts';
import { listedReviews } from './review-queries.ts';

// Plans of the list's statements over 20,000 reviews of each of two projects, a tenth of them deleted: none reads reviews or scores from
// end to end.

const reviews = 20_000;
const page = { limit: 100, offset: 0 };
const readNone = () => Promise.resolve([]);
let api: TestApi;
let acme: Seed;
let rare: string;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  const other = await api.seed('Other');
  rare = crypto.randomUUID();
  const usual = crypto.randomUUID();
  await fillDatabase(api.databaseUrl, async (pool) => {
    for (const id of [rare, usual]) {
      await pool.query("INSERT INTO score_definitions (id, project_id, name, kind) VALUES ($1, $2, 'S', 'numeric')", [
        id,
        acme.projectId,
      ]);
      await pool.query(
        "INSERT INTO score_definition_versions (id, definition_id, version, config) VALUES ($1, $1, 1, '{}')",
        [id],
      );
    }
    await pool.query(
      `INSERT INTO trace_reviews (id, project_id, trace_id, comment, created_at, updated_at, deleted_at)
       SELECT gen_random_uuid(), project, 'trace-' || n, CASE WHEN n % 2 = 0 THEN 'Comment ' || n * 7919 % 20011 END,
         now() - n * interval '1 minute', now() - n * 7919 % 20011 * interval '1 minute', CASE WHEN n % 10 = 0 THEN now() END
       FROM generate_series(1, $1::integer) n, unnest($2::integer[]) AS project`,
      [reviews, [acme.projectId, other.projectId]],
    );
    await pool.query(
      `INSERT INTO trace_scores (id, review_id, definition_id, version_id, numeric_value)
       SELECT gen_random_uuid(), r.id, d.id, d.id, 1 FROM trace_reviews r, unnest($1::uuid[]) AS d(id)
       WHERE r.project_id = $2 AND (d.id = $3 OR r.trace_id LIKE '%777')`,
      [[rare, usual], acme.projectId, usual],
    );
  });
}, 60_000);
afterAll(() => api?.stop());

describe('reviews are listed, and counted, by index', () => {
  test.each<[string, Parameters<typeof readReviewQuery>[0]]>([
    ['trace_reviews_updated_idx', {}],
    ['trace_reviews_project_id_deleted_at_idx', {}],
    ['trace_reviews_updated_idx', { order_by: 'updated_at' }],
    ['trace_reviews_created_idx', { order_by: '-created_at' }],
    ['trace_reviews_project_id_trace_id_key', { trace_id: 'trace-7' }],
    ['trace_reviews_project_id_trace_id_key', { trace_id__in: 'trace-7,trace-8,trace-9' }],
    ['trace_reviews_search_idx', { search: 'trace-1234' }],
    ['trace_reviews_search_idx', { search: 'ment 471' }],
    ['trace_scores_definition_id_review_id_idx', { definition_id: 'RARE' }],
    ['trace_scores_definition_id_review_id_idx', { definition_id__in: 'RARE' }],
  ])('by %s: %j', async (index, query) => {
    const listing = readReviewQuery(JSON.parse(JSON.stringify(query).replace('RARE', rare)) as typeof query);
    const listed = listedReviews(acme.projectId, listing);
    const { sequential, indexes } = await readsOf(api.prisma, (reader) => readIdPage(reader, listed, page, readNone));
    // The two definitions are on one page.
    const large = sequential.filter((table) => table !== 'score_definitions');
    expect([large, indexes]).toEqual([[], expect.arrayContaining([index])]);
  });
});

test('a search that very many reviews match counts all of them, and has its page in order', async () => {
  const listed = listedReviews(acme.projectId, readReviewQuery({ search: 'comment', order_by: '-created_at' }));
  const read = (ids: readonly string[]) =>
    api.prisma.traceReview.findMany({ where: { id: { in: [...ids] } }, select: { id: true, traceId: true } });
  const { count, rows } = await readIdPage(api.prisma, listed, { limit: 3, offset: 1 }, read);
  expect([count, rows.map(({ traceId }) => traceId)]).toEqual([8_000, ['trace-4', 'trace-6', 'trace-8']]);
});
