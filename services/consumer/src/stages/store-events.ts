import type { EndedEvent, EventBatch, StoredCounts } from './event-batch.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { EventOfPerson } from '../rows/event-of-person.ts';
import { descriptionsOf } from '../groups/attach-groups.ts';
import { applyIdentity, type AppliedIdentity } from '../identity/apply-identity.ts';
import { withFreshPersons } from '../identity/fresh-persons.ts';
import { firstsOf, leavingOf } from '../overflow/batch-leaving.ts';
import { contentsOf } from '../persons/person-contents.ts';
import { rowIndexOf } from '../rows/row-index.ts';
import { storeRows } from '../rows/store-rows.ts';
import { uniqueStreamName } from '../stream/stream-name.ts';
import { limiterOf } from '../warnings/warning-limiter.ts';
import { ownWarningRows, type IngestionWarningRow } from '../warnings/warning-rows.ts';
import { markUnknown } from './sift-duplicates.ts';

/** Brings persons and groups up to date (Postgres), and stores everything (ClickHouse; dead letters in the log). */
export async function storeEvents(work: EventBatch): Promise<StoredCounts> {
  const { batch, context, alive, kept, ended, letters, letterWriter, groupIndexes, now } = work;
  const { retry, writeBytesMax, outputs, limiter, clock } = context;
  const leaving = leavingOf(batch, context, (draft) => markUnknown(work, draft));
  const descriptions = descriptionsOf(batch.again ? alive : kept, groupIndexes);
  const range = {
    stream: uniqueStreamName({ logEpoch: context.logEpoch, id: batch.stream }),
    last: batch.records.at(-1)?.offset ?? 0n,
    isDivisible: batch.records.length > 1,
  };
  const rowIndex = rowIndexOf(batch.records);
  let warnings: readonly IngestionWarningRow[] | null = null;
  const stored = await withFreshPersons(context, async (persons) => {
    const identity = await retry('postgres', (attempt, onSign) => {
      persons.reading();
      // A failed try may have written: then everything touched is written to ClickHouse again.
      const again = batch.again || attempt > 0 || persons.round > 0;
      const identityBatch = {
        drafts: kept,
        descriptions,
        all: alive,
        now,
        again,
        writeBytesMax,
        leaving,
        onSign,
        ...range,
      };
      return applyIdentity(identityBatch, context.identity(onSign), context.progress);
    });
    context.failpoint('persons-applied');
    // Once: the limiter would leave out what it has let through already.
    warnings ??= ownWarningRows(warnedOf(ended, identity), now, limiterOf(batch, limiter, clock));
    const refused = await storeRows({ outputs, retry: persons.retry }, batch.token, {
      events: identity.ofEvents.map(
        (person, index) => new EventOfPerson(identity.staying[index] as EventDraft, person),
      ),
      rowIndex: rowIndex,
      contents: contentsOf(identity.staying, identity.ofEvents),
      states: identity.states,
      warnings,
      letters,
      refusedLetter: (draft, detail) => {
        // Replayed, or met in another lane, it is not to be taken for a duplicate.
        markUnknown(work, draft);
        return letterWriter.entry(draft.position, { reason: 'row_refused', step: 'insert', detail });
      },
    });
    return { refused, left: identity.left.length };
  });
  // All of it is stored. After a failure they are left to the garbage collector.
  work.rows.release();
  context.failpoint('rows-inserted');
  return stored;
}

/**
 * Events whose warnings the project gets: those stored, those dropped for what they say, and of each project the first
 * that left; not a duplicate's.
 */
function warnedOf(
  ended: readonly EndedEvent[],
  { staying, left }: Pick<AppliedIdentity, 'staying' | 'left'>,
): EventDraft[] {
  const contradicting = ended.flatMap(({ draft, outcome }) =>
    draft !== null && outcome.kind === 'drop' ? [draft] : [],
  );
  return [...contradicting, ...staying, ...firstsOf(left)].filter(({ warnings }) => warnings.length > 0);
}
