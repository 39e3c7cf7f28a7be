import type { FrameRecord } from '@millrace/symbolication/frames/resolved-frame.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../database.ts';

/** A frame of a project, for its table. */
export interface StoredFrame {
  projectId: number;
  record: FrameRecord;
  symbolSetRef: string | null;
  symbolSetId: string | null;
}

/** The table of stack frames (contract/orgs-errors 3.1). */
export interface FrameStore {
  /**
   * Stores frames that are new, or were not resolved before; records of resolved ones stay (contract/decisions 123). Of a project that
   * brings new frames too fast some are left out: only the table lacks them, their events do not. Throws what `pg` throws.
   */
  write(frames: readonly StoredFrame[]): Promise<void>;
}

/** Frames that this process has stored lately, with whether they were resolved. */
const rememberedMax = 200_000;
/** New frames of a project: at once, and each second after that. Anyone with the public token can make up frames. */
const newAtOnce = 20_000;
const newPerSecond = 100;

interface Allowance {
  left: number;
  atMs: number;
}

export function createFrameStore(db: Queryable, clock: Clock): FrameStore {
  const remembered = new LRUCache<string, boolean>({ max: rememberedMax });
  const allowances = new LRUCache<number, Allowance>({ max: 10_000 });

  function isAllowed(projectId: number): boolean {
    const nowMs = clock.nowMs();
    const before = allowances.get(projectId) ?? { left: newAtOnce, atMs: nowMs };
    const left = Math.min(newAtOnce, before.left + ((nowMs - before.atMs) / 1000) * newPerSecond);
    allowances.set(projectId, { left: left < 1 ? left : left - 1, atMs: nowMs });
    return left >= 1;
  }

  return {
    async write(frames) {
      const fresh = new Map<string, StoredFrame>();
      for (const frame of frames) {
        const key = keyOf(frame);
        const wasResolved = remembered.get(key);
        const isKnown = wasResolved === true || (wasResolved === false && !frame.record.contents.resolved);
        if (!isKnown && (fresh.has(key) || isAllowed(frame.projectId))) fresh.set(key, frame);
      }
      if (fresh.size === 0) return;
      // In one order everywhere: two batches that store the same frames wait for each other, and never in a circle.
      const ordered = [...fresh].sort(([a], [b]) => (a < b ? -1 : 1));
      await db.query(insertFrames(ordered.map(([, frame]) => frame)));
      for (const [key, { record }] of ordered) remembered.set(key, record.contents.resolved);
    },
  };
}

const keyOf = ({ projectId, record: { hash, part } }: StoredFrame): string => `${projectId}:${hash}:${part}`;

function insertFrames(frames: readonly StoredFrame[]) {
  const columns = <T>(of: (frame: StoredFrame) => T): T[] => frames.map(of);
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
      ON CONFLICT (project_id, hash, part) DO UPDATE SET contents = excluded.contents, context = excluded.context,
        resolved = excluded.resolved, symbol_set_ref = excluded.symbol_set_ref, symbol_set_id = excluded.symbol_set_id
      WHERE NOT stored.resolved`,
    values: [
      columns(() => uuidV7(now)),
      columns(({ projectId }) => projectId),
      columns(({ record }) => record.hash),
      columns(({ record }) => record.part),
      columns(({ record }) => JSON.stringify(record.contents)),
      columns(({ record }) => (record.context === null ? null : JSON.stringify(record.context))),
      columns(({ record }) => record.contents.resolved),
      columns(({ symbolSetRef }) => symbolSetRef),
      columns(({ symbolSetId }) => symbolSetId),
    ],
  };
}
