import { createPool } from '@millrace/postgres/pool.ts';
import { fillTables } from '@millrace/testkit/generated-organization.ts';
import type { Local } from '../../support/system.ts';
import { newProject } from '../management/runs-of-project.ts';
import { measureListings, type Listing } from '../measure-listings.ts';
import { joined, type Measurement } from '../report/measurement.ts';
import { withSystem } from '../system-under-test.ts';
import { errorLists } from './error-lists.ts';

/** Sets of the project; each release has a two-hundredth of them, and a fiftieth have no file. */
const rowsOf = { sets: 100_000, releases: 500 };
const many = '100 000';

/** Lists of a project with very many symbol sets, and of one with very many issues, stack frames and releases. */
export const symbolSetsMeasurement: Measurement = {
  name: 'symbol-sets',
  measure: (bench) =>
    withSystem(bench.stop, async ({ local }) => {
      const projectId = await newProject(local, 'Maps');
      const others = await newProject(local, 'Issues');
      await fillRows(local, projectId, others);
      bench.say(`a project of ${rowsOf.sets} symbol sets and ${rowsOf.releases} releases is made`);
      const base = `/api/projects/${projectId}/error_tracking/symbol_sets`;
      const found = [await measureListings(local, bench, { topic: 'symbol_sets', base, listings })];
      for (const { topic, route, listings: given } of errorLists) {
        const of = `/api/projects/${others}/error_tracking/${route}`;
        found.push(await measureListings(local, bench, { topic, base: of, listings: given }));
      }
      return joined(...found);
    }),
};

const listings: readonly Listing[] = [
  {
    name: 'page',
    what: `page of ${many} sets, by order`,
    kind: 'fast',
    paths: ['created_at', '-created_at', 'ref', '-ref', 'last_used', '-last_used'].map((order) => `?order_by=${order}`),
  },
  {
    name: 'status',
    what: `sets with a file, or without, of ${many}`,
    kind: 'fast',
    paths: ['?status=valid', '?status=invalid'],
  },
  { name: 'deep', what: `page in the middle of ${many} sets`, kind: 'fast', paths: ['?offset=50000'] },
  { name: 'ref', what: `one of ${many} sets, by its ref`, kind: 'fast', paths: ['?ref=chunk-4711&limit=1'] },
  {
    name: 'search',
    what: `search that few of ${many} sets match, by ref, version or commit`,
    kind: 'fast',
    paths: ['?search=chunk-4711', '?search=UNK-8128', '?search=1.499', '?search=c4ca4238a0'],
  },
  {
    name: 'wide_search',
    what: `search that all of ${many} sets match`,
    kind: 'other',
    paths: ['?search=chunk', '?search=shop'],
  },
  {
    name: 'short_search',
    what: `search of 1 or 2 letters in ${many} sets`,
    kind: 'other',
    paths: ['?search=a', '?search=47', '?search=1.'],
  },
];

/** The oldest sets come last. */
async function fillRows(local: Local, projectId: number, others: number): Promise<void> {
  const options = { applicationName: 'bench', max: 1, statementTimeoutMs: 0, onError: () => undefined };
  const pool = createPool(local.postgresUrl, options);
  await fillTables(pool, async () => {
    await pool.query(
      `INSERT INTO error_tracking_releases (id, project_id, hash_id, version, project, metadata)
       SELECT gen_random_uuid(), $1, 'h' || n, '1.' || n, 'shop', jsonb_build_object('git', jsonb_build_object('commit_id', md5(n::text)))
       FROM generate_series(1, $2::integer) n`,
      [projectId, rowsOf.releases],
    );
    await pool.query(
      `INSERT INTO symbol_sets (id, project_id, ref, release_id, storage_key, created_at, last_used_at)
       SELECT gen_random_uuid(), $1, 'chunk-' || n, e.id, CASE WHEN n % 50 > 0 THEN 'symbolsets/' || gen_random_uuid() END,
         now() - n * interval '1 minute', CASE WHEN n % 7 > 0 THEN now() - n * 7919 % 100003 * interval '1 minute' END
       FROM generate_series(1, $2::integer) n JOIN error_tracking_releases e ON e.project_id = $1 AND e.hash_id = 'h' || 1 + n % $3::integer`,
      [projectId, rowsOf.sets, rowsOf.releases],
    );
    for (const { fill } of errorLists) await fill(pool, others);
  });
  await pool.end();
}
