import type { Pool } from '@millrace/postgres/pool.ts';
import type { BuildSlots } from './build-limits.ts';

/** A build that one process has, until its claim ends. */
export interface ClaimedBuild {
  /** Id of the row in `materializations`: a version that is enabled again has another one. */
  rowId: string;
  versionId: string;
  projectId: number;
  /** Later claims and changes of the version have a higher one, which makes this one void. */
  buildNumber: number;
  /** By the clock of Postgres. */
  startedAt: Date;
  retries: number;
  /** Another process began a build and did not end it. */
  isTakenOver: boolean;
}

interface Claiming extends BuildSlots {
  /** Names the process. */
  holder: string;
  leaseMs: number;
  /** Only this version's build. */
  versionId?: string;
}

interface ClaimRow {
  id: string;
  version_id: string;
  project_id: number;
  build_number: number;
  started_at: Date;
  retries: number;
  is_taken_over: boolean;
}

/** Key of the advisory lock: any number that no other lock uses. Builds are claimed one after the other, so that they can be counted. */
const claimLock = 7_235_190_440;

const forgetSlots = 'DELETE FROM build_slots WHERE held_until <= statement_timestamp()';

// The project is the endpoint's: its rows are what is built.
const claim = `WITH running AS MATERIALIZED (
    SELECT project_id, count(*) AS builds FROM build_slots GROUP BY project_id
  ), candidates AS MATERIALIZED (
    SELECT m.id, m.next_build_at, e.project_id
    FROM materializations m
    JOIN endpoint_versions v ON v.id = m.version_id
    JOIN endpoints e ON e.id = v.endpoint_id
    JOIN projects p ON p.id = e.project_id
    WHERE m.next_build_at <= statement_timestamp() AND (m.claimed_until IS NULL OR m.claimed_until <= statement_timestamp())
      AND v.is_active AND e.is_active AND e.deleted_at IS NULL AND p.deleted_at IS NULL
      AND ($5::uuid IS NULL OR m.version_id = $5)
      AND (SELECT coalesce(sum(builds), 0) FROM running) < $3
      AND e.project_id NOT IN (SELECT project_id FROM running WHERE builds >= $4)
  ), turns AS (
    SELECT c.project_id, (SELECT max(m.claimed_at) FROM materializations m WHERE m.project_id = c.project_id) AS last
    FROM (SELECT DISTINCT project_id FROM candidates) c
  ), due AS (
    SELECT m.id, c.project_id, m.claimed_until IS NOT NULL AS is_taken_over
    FROM materializations m JOIN candidates c ON c.id = m.id JOIN turns t ON t.project_id = c.project_id
    WHERE m.next_build_at <= statement_timestamp() AND (m.claimed_until IS NULL OR m.claimed_until <= statement_timestamp())
    ORDER BY t.last NULLS FIRST, c.next_build_at LIMIT 1 FOR UPDATE OF m SKIP LOCKED
  ), claimed AS (
    UPDATE materializations m
    SET status = 'Running', claimed_by = $1, claimed_at = statement_timestamp(),
      claimed_until = statement_timestamp() + $2 * interval '1 millisecond', build_number = m.build_number + 1
    FROM due WHERE m.id = due.id
    RETURNING m.id, m.version_id, due.project_id, m.build_number, m.claimed_at AS started_at, m.claimed_until, m.retries, due.is_taken_over
  ), slot AS (
    INSERT INTO build_slots (row_id, build_number, project_id, held_until)
    SELECT id, build_number, project_id, claimed_until FROM claimed
  )
  SELECT * FROM claimed`;

/**
 * Takes a build that is due, with a slot; null: none is due, or no slot is free. Among the projects that have a free slot, the one whose last
 * build began first is next, with what is due there for longest. Resolves when other processes can see it.
 */
export async function claimBuild(
  pool: Pick<Pool, 'connect'>,
  { holder, leaseMs, runningMax, runningPerProjectMax, versionId }: Claiming,
): Promise<ClaimedBuild | null> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [claimLock]);
    await client.query(forgetSlots);
    const values = [holder, leaseMs, runningMax, runningPerProjectMax, versionId ?? null];
    const [row] = (await client.query<ClaimRow>(claim, values)).rows;
    await client.query('COMMIT');
    client.release();
    return row === undefined ? null : claimOf(row);
  } catch (error) {
    // The connection ends, and with it the transaction.
    client.release(true);
    throw error;
  }
}

/** Is a build of the version due, or being done by any process? */
export async function isWanted(pool: Pick<Pool, 'query'>, versionId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'SELECT 1 FROM materializations WHERE version_id = $1 AND (claimed_until > statement_timestamp() OR next_build_at <= statement_timestamp())',
    [versionId],
  );
  return rowCount === 1;
}

const claimOf = (row: ClaimRow): ClaimedBuild => ({
  rowId: row.id,
  versionId: row.version_id,
  projectId: row.project_id,
  buildNumber: row.build_number,
  startedAt: row.started_at,
  retries: row.retries,
  isTakenOver: row.is_taken_over,
});
