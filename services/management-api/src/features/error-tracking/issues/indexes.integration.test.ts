import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fillDatabase, readsOf } from '../../../test/plans.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import { readIdPage } from '../../../lists/id-page.ts';
import { readIssueQuery } from './issue-listing.ts';
import { listedIssues, readFingerprints } from './issue-queries.ts';

// Plans of the list's statements over 20,000 issues of each of two projects with a fingerprint each: none reads a table from end to end.

let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi({ CLICKHOUSE_RECORDER_PASSWORD: '' });
  acme = await api.seed('Acme');
  const projects = [acme.projectId, (await api.seed('Other')).projectId];
  await fillDatabase(api.databaseUrl, async (pool) => {
    await pool.query(
      `INSERT INTO error_tracking_issues (id, project_id, name, description, first_seen_at, updated_at)
       SELECT gen_random_uuid(), project, md5(project || '-' || n), md5(n || '!'), now() - n * interval '1 minute', now() - n * 7919 % 20011 * interval '1 minute'
       FROM generate_series(1, 20000) n, unnest($1::integer[]) AS project`,
      [projects],
    );
    await pool.query(
      `INSERT INTO error_tracking_fingerprints (id, project_id, fingerprint, issue_id, version, first_seen_at)
       SELECT id, project_id, name, id, 1, first_seen_at FROM error_tracking_issues`,
    );
  });
}, 60_000);
afterAll(() => api?.stop());

const issuesIndex = (columns: string): string => `error_tracking_issues_${columns}_idx`;

test.each<[string, Parameters<typeof readIssueQuery>[0]]>([
  [issuesIndex('project_id_first_seen_at_id'), {}],
  [issuesIndex('project_id_first_seen_at_id'), { order_by: 'first_seen', status: 'active' }],
  [issuesIndex('project_id_updated_at_id'), { order_by: '-updated_at' }],
  [issuesIndex('search'), { search: 'abcdef' }],
  [issuesIndex('search'), { search: 'abcdef', order_by: 'updated_at' }],
])('%s: %j', async (index, query) => {
  const listed = listedIssues(acme.projectId, readIssueQuery(query));
  const { sequential, indexes } = await readsOf(api.prisma, (reader) =>
    readIdPage(
      reader,
      listed,
      { limit: 100, offset: 0 },
      (ids) =>
        reader.$queryRaw<
          { id: string }[]
        >`SELECT id::text FROM error_tracking_issues WHERE id = ANY(${[...ids]}::uuid[])`,
    ),
  );
  expect([sequential.filter((name) => name.startsWith('error_tracking')), indexes]).toEqual([
    [],
    expect.arrayContaining([index]),
  ]);
});

test('a page of issues has its fingerprints read', async () => {
  const rows = await api.prisma.errorTrackingIssue.findMany({ where: { projectId: acme.projectId }, take: 100 });
  const ids = rows.map(({ id }) => id);
  const found = await readFingerprints(api.prisma, acme.projectId, ids);
  expect(new Set(found.map(({ issueId }) => issueId))).toEqual(new Set(ids));
});
