import { cleanJson } from '@millrace/json/clean-json.ts';
import type { FrameRecord } from '@millrace/symbolication/frames/resolved-frame.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../database.ts';
import { createAllowances } from './allowances.ts';

/** A frame of a project, for its table. */
export interface StoredFrame {
  projectId: number;
  record: FrameRecord;
  symbolSetRef: string | null;
  symbolSetId: string | null;
}

/** The table of stack frames (contract/orgs-errors 3.1). */
export interface FrameStore {
  /** True when this process has stored it lately, as well resolved. */
  isStored(frame: StoredFrame): boolean;
  /**
   * Stores frames that are new, or were not resolved before, and notes the use of others twice a day; records of resolved ones stay
   * (contract/decisions 123, 131). Of a project that
   * brings new frames too fast some are left out, and so are those that are too large: only the table lacks them, their events do not. Throws
   * what `pg` throws.
   */
  write(frames: readonly StoredFrame[]): Promise<void>;
}

/** Frames that this process has stored lately, with whether they were resolved. */
const rememberedMax = 200_000;
/** New frames of a project: at once, and each second after that. Anyone with the public token can make up frames. */
const newAtOnce = 20_000;
const newPerSecond = 10;
/** `last_used_at` is rewritten no more often, as that of symbol sets. */
const usedMs = 12 * 3_600_000;

/** Characters of JSON of a record (contract/decisions 108): a frame may have whatever members a client sends. */
const charactersMax = 65_536;
/** Frames, and characters of JSON, of one statement: it must end long before its time is over, or it is tried for ever. */
const statementMax = { frames: 1_000, characters: 4_000_000 };

/** A frame as the statement takes it. */
interface FrameRow {
  key: string;
  frame: StoredFrame;
  contents: string;
  context: string | null;
}

export function createFrameStore(db: Queryable, clock: Clock): FrameStore {
  const remembered = new LRUCache<string, { resolved: boolean; atMs: number }>({ max: rememberedMax });
  const allowances = createAllowances(clock, { atOnce: newAtOnce, perSecond: newPerSecond });

  function isStored(frame: StoredFrame): boolean {
    const stored = remembered.get(frameKey(frame));
    if (stored === undefined || stored.atMs <= clock.nowMs() - usedMs) return false;
    return stored.resolved || !frame.record.contents.resolved;
  }

  /** The frames that are to be stored, by key: so many of each project as it may bring. */
  function freshOf(frames: readonly StoredFrame[]): Map<string, StoredFrame> {
    const fresh = new Map<string, StoredFrame>();
    const taken = new Map<number, number>();
    for (const frame of frames) {
      const key = frameKey(frame);
      if (isStored(frame)) continue;
      const count = taken.get(frame.projectId) ?? 0;
      if (!fresh.has(key)) {
        if (count >= allowances.leftOf(frame.projectId)) continue;
        taken.set(frame.projectId, count + 1);
      }
      fresh.set(key, frame);
    }
    return fresh;
  }

  return {
    isStored,
    async write(frames) {
      // In one order everywhere: two batches that store the same frames wait for each other, and never in a circle.
      const ordered = [...freshOf(frames)].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const rows of statementsOf(ordered)) {
        const stored = await db.query<{ projectId: number; isNew: boolean }>(insertFrames(rows));
        for (const { key, frame } of rows)
          remembered.set(key, { resolved: frame.record.contents.resolved, atMs: clock.nowMs() });
        for (const { projectId, isNew } of stored.rows) if (isNew) allowances.take(projectId, 1);
      }
    },
  };
}

/** One text for a frame of a project. */
export const frameKey = ({ projectId, record: { hash, part } }: StoredFrame): string => `${projectId}:${hash}:${part}`;

/** Rows of one statement after another, without those too large. Names and lines of a map may hold what no reader takes (`cleanJson`). */
function* statementsOf(frames: readonly (readonly [key: string, frame: StoredFrame])[]): Generator<FrameRow[]> {
  let rows: FrameRow[] = [];
  let characters = 0;
  for (const [key, frame] of frames) {
    const contents = JSON.stringify(cleanJson(frame.record.contents));
    // Not remembered: members that do not count for the hash may be few the next time.
    if (contents.length > charactersMax) continue;
    const { context } = frame.record;
    const row = {
      key,
      frame,
      contents,
      context: context === null ? null : JSON.stringify(cleanJson(context)),
    };
    const size = row.contents.length + (row.context?.length ?? 0);
    if (rows.length === statementMax.frames || (rows.length > 0 && characters + size > statementMax.characters)) {
      yield rows;
      rows = [];
      characters = 0;
    }
    rows.push(row);
    characters += size;
  }
  if (rows.length > 0) yield rows;
}

/** Answers the frames that it wrote; those that are new are those that no transaction has locked or replaced. */
function insertFrames(rows: readonly FrameRow[]) {
  const columns = <T>(of: (row: FrameRow) => T): T[] => rows.map(of);
  const now = Date.now();
  return {
    name: 'insert-stack-frames',
    text: `INSERT INTO stack_frames AS stored (id, project_id, hash, part, contents, context, resolved, symbol_set_ref, symbol_set_id)
      SELECT new.id, new.project_id, new.hash, new.part, new.contents::json, new.context::json, new.resolved, new.symbol_set_ref, s.id
      FROM unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::text[], $6::text[], $7::bool[], $8::text[], $9::uuid[])
          WITH ORDINALITY AS new(id, project_id, hash, part, contents, context, resolved, symbol_set_ref, symbol_set_id, place)
        JOIN projects p ON p.id = new.project_id
        LEFT JOIN symbol_sets s ON s.id = new.symbol_set_id
      ORDER BY new.place
      ON CONFLICT (project_id, hash, part) DO UPDATE SET last_used_at = now(), resolved = stored.resolved OR excluded.resolved,
        contents = CASE WHEN stored.resolved THEN stored.contents ELSE excluded.contents END,
        context = CASE WHEN stored.resolved THEN stored.context ELSE excluded.context END,
        symbol_set_ref = CASE WHEN stored.resolved THEN stored.symbol_set_ref ELSE excluded.symbol_set_ref END,
        symbol_set_id = CASE WHEN stored.resolved THEN stored.symbol_set_id ELSE excluded.symbol_set_id END
      WHERE NOT stored.resolved OR stored.last_used_at < now() - interval '12 hours'
      RETURNING project_id AS "projectId", (xmax = 0) AS "isNew"`,
    values: [
      columns(() => uuidV7(now)),
      columns(({ frame }) => frame.projectId),
      columns(({ frame }) => frame.record.hash),
      columns(({ frame }) => frame.record.part),
      columns(({ contents }) => contents),
      columns(({ context }) => context),
      columns(({ frame }) => frame.record.contents.resolved),
      columns(({ frame }) => frame.symbolSetRef),
      columns(({ frame }) => frame.symbolSetId),
    ],
  };
}
