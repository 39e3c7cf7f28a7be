import type { Pool } from '@millrace/postgres/pool.ts';
import type { Listing } from '../measure-listings.ts';

/** A table of error tracking with very many rows of a project, and its lists. */
export interface ErrorList {
  topic: string;
  /** Path of the routes below those of error tracking. */
  route: string;
  /** Makes the rows of the project. */
  fill: (pool: Pool, projectId: number) => Promise<unknown>;
  listings: readonly Listing[];
}

const rows = 100_000;
const many = '100 000';

const issues: ErrorList = {
  topic: 'issues',
  route: 'issues',
  // One in fifty is resolved, and as many are suppressed.
  fill: async (pool, projectId) => {
    await pool.query(
      `INSERT INTO error_tracking_issues (id, project_id, name, description, status, resolved_at, first_seen_at, updated_at)
       SELECT gen_random_uuid(), $1, 'TypeError' || n % 1000, 'Cannot read properties of undefined (reading ''total-' || n || ''')',
         CASE n % 50 WHEN 1 THEN 'resolved' WHEN 2 THEN 'suppressed' ELSE 'active' END, CASE n % 50 WHEN 1 THEN now() END,
         now() - n * interval '1 minute', now() - n * 7919 % 100003 * interval '1 minute'
       FROM generate_series(1, $2::integer) n`,
      [projectId, rows],
    );
    await pool.query(
      `INSERT INTO error_tracking_fingerprints (id, project_id, fingerprint, issue_id, version, first_seen_at)
       SELECT id, project_id, id::text, id, 1, first_seen_at FROM error_tracking_issues WHERE project_id = $1`,
      [projectId],
    );
  },
  listings: [
    {
      name: 'page',
      what: `page of ${many} issues, by order`,
      kind: 'fast',
      paths: ['first_seen', '-first_seen', 'updated_at', '-updated_at'].map((order) => `?order_by=${order}`),
    },
    {
      name: 'status',
      what: `issues of ${many} by status, each order`,
      kind: 'fast',
      paths: ['active', 'resolved', 'suppressed'].flatMap((status) => [
        `?status=${status}`,
        `?status=${status}&order_by=updated_at`,
      ]),
    },
    { name: 'deep', what: `page in the middle of ${many} issues`, kind: 'fast', paths: ['?offset=50000'] },
    {
      name: 'search',
      what: `search that few of ${many} issues match`,
      kind: 'fast',
      paths: ['?search=total-4711', '?search=total-99999&status=active'],
    },
    {
      name: 'wide_search',
      what: `search that all of ${many} issues match`,
      kind: 'other',
      paths: ['?search=undefined', '?search=TypeError'],
    },
  ],
};

const frames: ErrorList = {
  topic: 'stack_frames',
  route: 'stack_frames',
  fill: (pool, projectId) =>
    pool.query(
      `INSERT INTO stack_frames (id, project_id, hash, contents, context, resolved, created_at)
       SELECT gen_random_uuid(), $1, 'hash-' || n, json_build_object('raw_id', 'hash-' || n || '/0', 'mangled_name', 'e', 'resolved', true),
         json_build_object('line', json_build_object('number', n, 'line', repeat(md5(n::text), 20))), true, now() - n * interval '1 second'
       FROM generate_series(1, $2::integer) n`,
      [projectId, rows],
    ),
  listings: [
    { name: 'page', what: `page of ${many} stack frames`, kind: 'fast', paths: ['', '?limit=20'] },
    { name: 'deep', what: `page in the middle of ${many} stack frames`, kind: 'fast', paths: ['?offset=50000'] },
  ],
};

const releases: ErrorList = {
  topic: 'releases',
  route: 'releases',
  fill: (pool, projectId) =>
    pool.query(
      `INSERT INTO error_tracking_releases (id, project_id, hash_id, version, project, created_at)
       SELECT gen_random_uuid(), $1, 'h' || n, '1.' || n, 'shop', now() - n * interval '1 minute' FROM generate_series(1, $2::integer) n`,
      [projectId, rows],
    ),
  listings: [
    { name: 'page', what: `page of ${many} releases`, kind: 'fast', paths: ['', '?limit=20'] },
    { name: 'deep', what: `page in the middle of ${many} releases`, kind: 'fast', paths: ['?offset=50000'] },
    { name: 'one', what: `one of ${many} releases, by its hash`, kind: 'fast', paths: ['hash/h4711'] },
  ],
};

/** As many as a project may have. */
const rules: ErrorList = {
  topic: 'suppression_rules',
  route: 'suppression_rules',
  fill: (pool, projectId) =>
    pool.query(
      `INSERT INTO suppression_rules (id, project_id, filters, order_key)
       SELECT gen_random_uuid(), $1, json_build_object('type', 'AND', 'values', json_build_array(json_build_object(
         'key', '$exception_types', 'type', 'event', 'operator', 'exact', 'value', 'Error' || n))), n FROM generate_series(1, 1000) n`,
      [projectId],
    ),
  listings: [
    { name: 'page', what: 'page of 1 000 suppression rules', kind: 'fast', paths: ['', '?offset=500'] },
    { name: 'all', what: 'all of 1 000 suppression rules', kind: 'fast', paths: ['?limit=1000'] },
  ],
};

export const errorLists: readonly ErrorList[] = [issues, frames, releases, rules];
