import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fillDatabase, readsOf } from '../../../test/plans.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import { readIdPage, type Listed } from '../../../lists/id-page.ts';
import { readQueueQuery } from '../review-queues/queue-listing.ts';
import { listedQueues, readQueue } from '../review-queues/queue-queries.ts';
import { readItemQuery } from './item-listing.ts';
import { listedItems } from './item-queries.ts';

// Plans of the lists' statements over 20,000 queues and 20,000 items of each of two projects, a tenth of them deleted, and a fifth of the
// items in one queue: none reads one of these tables from end to end.

const rows = 20_000;
const page = { limit: 100, offset: 0 };
const readNone = () => Promise.resolve([]);
let api: TestApi;
let acme: Seed;
let largeQueue: string;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  const other = await api.seed('Other');
  largeQueue = crypto.randomUUID();
  await fillDatabase(api.databaseUrl, async (pool) => {
    await pool.query("INSERT INTO review_queues (id, project_id, name) VALUES ($1, $2, 'Large')", [
      largeQueue,
      acme.projectId,
    ]);
    await pool.query(
      `INSERT INTO review_queues (id, project_id, name, created_at, updated_at, deleted_at)
       SELECT gen_random_uuid(), project, 'Queue ' || n * 7919 % 20011, now() - n * interval '1 minute',
         now() - n * 7919 % 20011 * interval '1 minute', CASE WHEN n % 10 = 0 THEN now() END
       FROM generate_series(1, $1::integer) n, unnest($2::integer[]) AS project`,
      [rows, [acme.projectId, other.projectId]],
    );
    await pool.query(
      `INSERT INTO review_queue_items (id, project_id, queue_id, trace_id, created_at, updated_at, deleted_at)
       SELECT gen_random_uuid(), q.project_id, CASE WHEN q.n % 5 = 0 THEN $1::uuid ELSE q.id END, 'trace-' || q.n,
         now() - q.n * interval '1 minute', now() - q.n * 7919 % 20011 * interval '1 minute', q.deleted_at
       FROM (SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY id) AS n FROM review_queues WHERE id <> $1) q`,
      [largeQueue],
    );
  });
}, 60_000);
afterAll(() => api?.stop());

async function expectIndex<Name extends string>(listed: Listed<Name>, index: string): Promise<void> {
  const { sequential, indexes } = await readsOf(api.prisma, (reader) => readIdPage(reader, listed, page, readNone));
  expect([sequential, indexes]).toEqual([[], expect.arrayContaining([index])]);
}

describe('queues are listed, and counted, by index', () => {
  test.each<[string, Parameters<typeof readQueueQuery>[0]]>([
    ['review_queues_project_id_name_key', {}],
    ['review_queues_project_id_deleted_at_idx', {}],
    ['review_queues_project_id_name_key', { order_by: '-name' }],
    ['review_queues_project_id_name_key', { name: 'Large' }],
    ['review_queues_created_idx', { order_by: '-created_at' }],
    ['review_queues_updated_idx', { order_by: 'updated_at' }],
    ['review_queues_search_idx', { search: 'queue 1234' }],
  ])('by %s: %j', async (index, query) => {
    const listing = readQueueQuery(query);
    await expectIndex(listedQueues(acme.projectId, listing), index);
  });

  test('their items are counted by an index of live ones', async () => {
    const { sequential, indexes } = await readsOf(api.prisma, (reader) =>
      readQueue(reader, acme.projectId, largeQueue),
    );
    expect(sequential).not.toContain('review_queue_items');
    expect(indexes).toContain('review_queue_items_queue_id_deleted_at_idx');
  });
});

describe('items are listed, and counted, by index', () => {
  test.each<[string, Parameters<typeof readItemQuery>[0]]>([
    ['review_queue_items_created_idx', {}],
    ['review_queue_items_project_id_deleted_at_idx', {}],
    ['review_queue_items_created_idx', { order_by: '-created_at' }],
    ['review_queue_items_updated_idx', { order_by: 'updated_at' }],
    ['review_queue_items_queue_created_idx', { queue_id: 'LARGE' }],
    ['review_queue_items_queue_id_deleted_at_idx', { queue_id: 'LARGE' }],
    ['review_queue_items_queue_updated_idx', { queue_id: 'LARGE', order_by: '-updated_at' }],
    ['review_queue_items_project_id_trace_id_key', { trace_id: 'trace-7' }],
    ['review_queue_items_project_id_trace_id_key', { trace_id__in: 'trace-7,trace-8' }],
    ['review_queue_items_search_idx', { search: 'trace-1234' }],
  ])('by %s: %j', async (index, query) => {
    const listing = readItemQuery(JSON.parse(JSON.stringify(query).replace('LARGE', largeQueue)) as typeof query);
    await expectIndex(listedItems(acme.projectId, listing), index);
  });
});
