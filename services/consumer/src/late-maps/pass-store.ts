import type { JsonObject } from '@millrace/json/exact-json.ts';
import { readJson } from '@millrace/json/read-json.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import type { Queryable, Statement } from '../database.ts';
import type { SeenException } from '../exceptions/issues/issue-source.ts';

/** How far the exceptions of a project are resolved anew. */
export interface PassProgress {
  /** UTC day that is read, `YYYY-MM-DD`; null: none was begun. Days are read from the newest on. */
  day: string | null;
  /** Exceptions of the day before this time are left alone; null: none. */
  oldest: string | null;
  /** Place of the last exception of the day that was read, in the order of the table; empty: none. */
  after: string[];
  /** Exceptions that were found so far. */
  found: number;
}

/** A pass over the stored exceptions of a project, for symbol sets that came late. */
export interface Pass extends PassProgress {
  id: string;
  projectId: number;
  /** Six bytes of the hash of each frame that the sets are for. */
  frames: Buffer;
  sets: number;
  /** Turns before this one since something was last noted as done. */
  tries: number;
  startedAt: Date;
}

interface LateCounts {
  sets: number;
  passes: number;
  isDue: boolean;
}

/** The sets that came late and the passes for them, in Postgres. All throw what `pg` throws. */
export interface PassStore {
  /** Number of sets that wait for a pass, and of passes; and whether one of them can go on now. */
  count(): Promise<LateCounts>;
  /** Makes a pass of the due sets of each project that has none. Sets without a stored frame need none. */
  begin(): Promise<void>;
  /**
   * The pass whose turn it is; null: none can go on now. The turn counts as a try until `advance`. If it ends the process, other passes come
   * first, and the longer it fails the later it comes again.
   */
  next(): Promise<Pass | null>;
  /** Notes how far a pass is. Its next turn is after those of all others. */
  advance(pass: Pass, progress: PassProgress): Promise<void>;
  /** Notes a failure, of this turn: the next turn is so many seconds later. */
  postpone(pass: Pass, seconds: number): Promise<void>;
  end(pass: Pass): Promise<void>;
  /** Issues of these exceptions were first seen no later than they happened. */
  lowerFirstSeen(seen: readonly SeenException[]): Promise<void>;
  /** Frames of a project as they were sent, by hash; those without a record are left out, and of more than 16 MB the largest. */
  rawFrames(projectId: number, hashes: readonly string[]): Promise<ReadonlyMap<string, JsonObject>>;
}

/** Frames of one pass, so that a statement can carry them; a set that has more is resolved by its newest. */
const framesMax = 10_000;
const setsMax = 1_000;
/** Bytes of the records of a page. A client may send large frames; those of an honest one are among the small. */
const frameBytesMax = 16_000_000;

export function createPassStore(db: Queryable): PassStore {
  return {
    async count() {
      const { rows } = await db.query<LateCounts>(countAll);
      return rows[0] ?? { sets: 0, passes: 0, isDue: false };
    },
    async begin() {
      for (;;) {
        const { rows } = await db.query<{ taken: number }>(beginPass());
        if ((rows[0]?.taken ?? 0) === 0) return;
      }
    },
    async next() {
      const { rows } = await db.query<Pass>(nextPass);
      return rows[0] ?? null;
    },
    async advance({ id }, { day, oldest, after, found }) {
      await db.query({
        name: 'advance-late-maps',
        text: `UPDATE late_map_passes SET day = $2, oldest = $3, after = $4, found = $5, tries = 0, turn_at = now() WHERE id = $1`,
        values: [id, day, oldest, after, found],
      });
    },
    async postpone({ id }, seconds) {
      await db.query({
        name: 'postpone-late-maps',
        text: 'UPDATE late_map_passes SET tries = greatest(tries, 1), turn_at = now() + make_interval(secs => $2) WHERE id = $1',
        values: [id, seconds],
      });
    },
    async end({ id }) {
      await db.query({ name: 'end-late-maps', text: 'DELETE FROM late_map_passes WHERE id = $1', values: [id] });
    },
    async lowerFirstSeen(seen) {
      const given = seen.map(({ projectId, fingerprint, happenedAt, receivedAt }) => ({
        project_id: projectId,
        fingerprint,
        first_seen_at: happenedAt < receivedAt ? happenedAt : receivedAt,
      }));
      await db.query({
        name: 'lower-first-seen',
        text: 'SELECT lower_first_seen($1)',
        values: [JSON.stringify(given)],
      });
    },
    async rawFrames(projectId, hashes) {
      const { rows } = await db.query<{ hash: string; frame: string }>({
        name: 'find-raw-frames',
        text: `SELECT hash, (contents -> 'junk_drawer' -> 'raw_frame')::text AS frame
          FROM (SELECT id, sum(size) OVER (ORDER BY size, id) AS total
            FROM (SELECT id, octet_length(contents::text) AS size FROM stack_frames WHERE project_id = $1 AND hash = ANY($2) AND part = 0) sized) summed
          JOIN stack_frames USING (id)
          WHERE total <= ${frameBytesMax} AND contents -> 'junk_drawer' -> 'raw_frame' IS NOT NULL`,
        values: [projectId, hashes],
      });
      return new Map(rows.map(({ hash, frame }) => [hash, readJson(frame) as JsonObject]));
    },
  };
}

const countAll: Statement = {
  name: 'count-late-maps',
  text: `SELECT (SELECT count(*)::int FROM late_maps) AS sets, (SELECT count(*)::int FROM late_map_passes) AS passes,
      EXISTS (SELECT FROM late_map_passes WHERE turn_at <= now()) OR EXISTS (SELECT FROM late_maps l WHERE due_at <= now()
        AND NOT EXISTS (SELECT FROM late_map_passes p WHERE p.project_id = l.project_id)) AS "isDue"`,
  values: [],
};

const nextPass: Statement = {
  name: 'next-late-maps',
  text: `UPDATE late_map_passes SET tries = tries + 1,
      turn_at = now() + make_interval(secs => CASE tries WHEN 0 THEN 0 ELSE least(10 * 2 ^ least(tries, 10), 600) END)
    WHERE project_id = (SELECT project_id FROM late_map_passes WHERE turn_at <= now() ORDER BY turn_at, project_id LIMIT 1)
    RETURNING id, project_id AS "projectId", frames, sets, day::text, oldest, coalesce(after, '{}') AS after, found, tries - 1 AS tries,
      started_at AS "startedAt"`,
  values: [],
};

/** A set that is noted again while its pass is under way has a row again, and another pass after this one. */
const beginPass = (): Statement => ({
  name: 'begin-late-maps',
  text: `WITH project AS (
      SELECT l.project_id FROM late_maps l
      WHERE l.due_at <= now() AND NOT EXISTS (SELECT FROM late_map_passes p WHERE p.project_id = l.project_id)
      ORDER BY l.due_at LIMIT 1
    ), due AS (
      SELECT l.project_id, l.ref, l.due_at FROM late_maps l JOIN project USING (project_id)
      WHERE l.due_at <= now() ORDER BY l.due_at, l.ref LIMIT ${setsMax}
    ), counted AS (
      SELECT due.*, sum(f.frames) OVER (ORDER BY due_at, ref) AS total, row_number() OVER (ORDER BY due_at, ref) AS place
      FROM due, LATERAL (SELECT count(*) AS frames FROM (SELECT FROM stack_frames s
        WHERE s.project_id = due.project_id AND s.symbol_set_ref = due.ref LIMIT ${framesMax}) s) f
    ), taken AS (
      DELETE FROM late_maps l USING counted c
      WHERE (c.place = 1 OR c.total <= ${framesMax}) AND l.project_id = c.project_id AND l.ref = c.ref AND l.due_at <= now()
      RETURNING l.project_id, l.ref
    ), begun AS (
      INSERT INTO late_map_passes (project_id, id, frames, sets)
      SELECT t.project_id, $1, string_agg(f.prefix, ''), count(DISTINCT t.ref)
      FROM taken t, LATERAL (SELECT decode(left(s.hash, 12), 'hex') AS prefix FROM stack_frames s
        WHERE s.project_id = t.project_id AND s.symbol_set_ref = t.ref ORDER BY s.created_at DESC LIMIT ${framesMax}) f
      GROUP BY t.project_id
    )
    SELECT count(*)::int AS taken FROM taken`,
  values: [uuidV7(Date.now())],
});
