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
  /** This version goes first among those of its project. */
  firstVersionId?: string;
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

/** Key of the advisory lock for claims: any number that no other lock uses. Builds are claimed one after the other, so that they can be counted. */
export const claimLock = 7_235_190_440;

// A process that freezes here would hold the lock, and all processes would wait for it.
const begin = "BEGIN; SET LOCAL lock_timeout = '2s'; SET LOCAL idle_in_transaction_session_timeout = '5s'";

const forgetSlots = 'DELETE FROM build_slots WHERE held_until <= statement_timestamp()';

// The project is the endpoint's: its rows are what is built.
const materializable = `materializations m
    JOIN endpoint_versions v ON v.id = m.version_id AND v.is_active
    JOIN endpoints e ON e.id = v.endpoint_id AND e.is_active AND e.deleted_at IS NULL
    JOIN projects p ON p.id = e.project_id AND p.deleted_at IS NULL`;
const isDue =
  'm.next_build_at <= statement_timestamp() AND (m.claimed_until IS NULL OR m.claimed_until <= statement_timestamp())';

const claim = `WITH running AS MATERIALIZED (
    SELECT project_id, count(*) AS builds FROM build_slots GROUP BY project_id
  ), candidates AS MATERIALIZED (
    SELECT m.id, m.next_build_at, e.project_id
    FROM ${materializable}
    WHERE ${isDue}
      AND (SELECT coalesce(sum(builds), 0) FROM running) < $3
      AND e.project_id NOT IN (SELECT project_id FROM running WHERE builds >= $4)
  ), due AS (
    SELECT m.id, c.project_id, m.claimed_until IS NOT NULL AS is_taken_over
    FROM materializations m JOIN candidates c ON c.id = m.id LEFT JOIN build_turns t ON t.project_id = c.project_id
    WHERE ${isDue}
    ORDER BY t.last_turn_at NULLS FIRST, coalesce(m.version_id = $5::uuid, false) DESC, c.next_build_at LIMIT 1 FOR UPDATE OF m SKIP LOCKED
  ), claimed AS (
    UPDATE materializations m
    SET status = 'Running', claimed_by = $1, claimed_at = statement_timestamp(),
      claimed_until = statement_timestamp() + $2 * interval '1 millisecond', build_number = m.build_number + 1
    FROM due WHERE m.id = due.id
    RETURNING m.id, m.version_id, due.project_id, m.build_number, m.claimed_at AS started_at, m.claimed_until, m.retries, due.is_taken_over
  ), slot AS (
    INSERT INTO build_slots (row_id, build_number, project_id, held_until)
    SELECT id, build_number, project_id, claimed_until FROM claimed
  ), turn AS (
    INSERT INTO build_turns (project_id, last_turn_at) SELECT project_id, started_at FROM claimed
    ON CONFLICT (project_id) DO UPDATE SET last_turn_at = excluded.last_turn_at
  )
  SELECT * FROM claimed`;

/**
 * Takes a build that is due, with a slot; null: none is due, or no slot is free. Among the projects that have a free slot, the one whose last
 * build began first is next, with `firstVersionId` or what is due there for longest; versions that are switched off since count too. Resolves when other processes can see it.
 * @throws when it waits for another claim for 2 s, as when the process of that one has frozen, which Postgres ends after 5 s
 */
export async function claimBuild(
  pool: Pick<Pool, 'connect'>,
  { holder, leaseMs, runningMax, runningPerProjectMax, firstVersionId }: Claiming,
): Promise<ClaimedBuild | null> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    await client.query('SELECT pg_advisory_xact_lock($1)', [claimLock]);
    await client.query(forgetSlots);
    const values = [holder, leaseMs, runningMax, runningPerProjectMax, firstVersionId ?? null];
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

/** A build that a request waits for: `due` and a slot is free, or it `waits` for a slot or for its end; `none` is due or being done. */
export type AwaitedBuild = 'due' | 'waits' | 'none';

/** How it is with the build of a version. Takes no lock, so many may ask often. */
export async function readAwaited(
  pool: Pick<Pool, 'query'>,
  versionId: string,
  { runningMax, runningPerProjectMax }: BuildSlots,
): Promise<AwaitedBuild> {
  const { rows } = await pool.query<{ is_due: boolean; is_running: boolean; has_slot: boolean }>(
    `SELECT ${isDue} AS is_due, m.claimed_until > statement_timestamp() AS is_running,
       s.builds < $2 AND s.of_project < $3 AS has_slot
     FROM ${materializable}
     CROSS JOIN LATERAL (
       SELECT count(*) AS builds, count(*) FILTER (WHERE project_id = e.project_id) AS of_project
       FROM build_slots WHERE held_until > statement_timestamp()
     ) s
     WHERE m.version_id = $1`,
    [versionId, runningMax, runningPerProjectMax],
  );
  const [row] = rows;
  if (row === undefined || !(row.is_due || row.is_running)) return 'none';
  return row.is_due && row.has_slot ? 'due' : 'waits';
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
