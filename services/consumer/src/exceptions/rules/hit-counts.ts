import type { EventDraft } from '../../events/event-draft.ts';
import type { Database } from '../../database.ts';

/** An event that a rule dropped. */
export interface Hit {
  draft: EventDraft;
  ruleId: string;
}

/** Counts of dropped events by rule and day (UTC), in Postgres. */
export interface HitCounts {
  /** Counts what a batch dropped. Events of a batch that is done again are counted once. Throws what `pg` throws. */
  add(hits: readonly Hit[], range: { stream: string; last: bigint }): Promise<void>;
}

export function createHitCounts(db: Database): HitCounts {
  return {
    async add(hits, { stream, last }) {
      if (hits.length === 0) return;
      await db.transaction(async (transaction) => {
        await transaction.query(begin(stream));
        const { rows } = await transaction.query<{ before: string }>(advance(stream, last));
        const before = BigInt(rows[0]?.before ?? -1);
        const counts = countsOf(hits.filter(({ draft }) => draft.position.offset > before));
        if (counts.length === 0) return;
        await transaction.query({
          name: 'add-suppression-hits',
          text: 'SELECT add_suppression_hits($1)',
          values: [JSON.stringify(counts)],
        });
      });
    },
  };
}

/** Makes the row of a stream, whose hits are not counted yet. Waits for another owner that makes it: only a row can be locked. */
function begin(stream: string) {
  return {
    name: 'begin-suppression-hits',
    text: 'INSERT INTO suppression_progress (stream, last_offset) VALUES ($1, -1) ON CONFLICT DO NOTHING',
    values: [stream],
  };
}

/** Locks how far the hits of a stream are counted, answers it, and sets it further. */
function advance(stream: string, last: bigint) {
  return {
    name: 'advance-suppression-hits',
    text: `WITH before AS (SELECT stream, last_offset FROM suppression_progress WHERE stream = $1 FOR UPDATE)
      UPDATE suppression_progress p SET last_offset = greatest(p.last_offset, $2) FROM before WHERE p.stream = before.stream
      RETURNING before.last_offset::text AS before`,
    values: [stream, last.toString()],
  };
}

function countsOf(hits: readonly Hit[]): { rule_id: string; day: string; dropped: number }[] {
  const days = Map.groupBy(hits, ({ ruleId, draft }) => `${ruleId} ${draft.head.receivedAt.slice(0, 10)}`);
  return [...days].map(([key, of]) => {
    const [ruleId, day] = key.split(' ') as [string, string];
    return { rule_id: ruleId, day, dropped: of.length };
  });
}
