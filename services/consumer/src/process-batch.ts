import type { IngestionWarningRow } from '@millrace/clickhouse/tables.ts';
import type { LogRecord, StreamId } from '@millrace/event-log/event-log.ts';
import { isoMicroseconds, type Clock } from '@millrace/runtime/clock.ts';
import { dropDuplicates, type CommitTrust } from './duplicates/drop-duplicates.ts';
import type { BatchMemory, RecentEvents } from './duplicates/recent-events.ts';
import type { StoredEvents } from './duplicates/stored-events.ts';
import type { EventDraft } from './event-draft.ts';
import { EventOfPerson } from './event-of-person.ts';
import { descriptionsOf } from './groups/attach-groups.ts';
import type { GroupTypes } from './groups/group-types.ts';
import { applyIdentity, type AppliedIdentity, type KnownProgress } from './identity/apply-identity.ts';
import { withFreshPersons } from './identity/fresh-persons.ts';
import type { IdentityStore } from './identity/identity-store.ts';
import { createLetterWriter } from './open-records.ts';
import type { DropCounts } from './outcome.ts';
import type { Outputs } from './outputs.ts';
import { OwnRows } from './own-columns.ts';
import { contentsOf } from './persons/person-contents.ts';
import { placesOf } from './places.ts';
import { firstsOf, leavingOf } from './overflow/batch-leaving.ts';
import type { EventParts } from './overflow/event-parts.ts';
import type { Leaving } from './overflow/leaving-events.ts';
import type { Moves } from './overflow/moves.ts';
import type { ProjectShares } from './overflow/project-shares.ts';
import type { ProjectCache } from './projects/project-cache.ts';
import { readEvents, type EndedEvent, type ReadEvents } from './read-events.ts';
import { storeRows, type BatchRows } from './store-rows.ts';
import type { Retry } from './stream/retry.ts';
import { lineageName, streamName } from './stream/stream-name.ts';
import { ownWarningRows } from './warnings/warning-rows.ts';
import { limiterOf, type WarningLimiter } from './warnings/warning-limiter.ts';

/** A stretch of one stream: whole records, and the token that stands for exactly these. */
export interface Batch {
  stream: StreamId;
  records: readonly LogRecord[];
  /** `<lineage>:<lane>:<partition>:<writer>:<first>-<last>`. */
  token: string;
  /** The batch may have had effects before: a crash came between its beginning and its commit. */
  again: boolean;
  /** Which of its events leave it, as was decided when it was begun before; null: nothing was decided. */
  moves: Moves | null;
  /** Writes down, durably, which events leave. The log's trouble is waited out; `onTry` is called before each try. */
  noteMoves: (moves: Moves, onTry?: () => void) => Promise<void>;
}

/** What a batch is processed with. Test-only `failpoint` lets a test end the process at a named place. */
export interface BatchContext {
  projects: ProjectCache;
  /** Tells of each sign of life of Postgres. */
  identity: (onSign: () => void) => IdentityStore;
  groupTypes: GroupTypes;
  stored: StoredEvents;
  recent: RecentEvents;
  /** Bytes that projects may make the main lane write; null: as many as they like. */
  shares: ProjectShares | null;
  parts: Pick<EventParts, 'areMany' | 'few'>;
  /** Most bytes that one batch of this lane writes, if it can be divided. */
  writeBytesMax: number;
  limiter: WarningLimiter;
  outputs: Outputs;
  clock: Clock;
  retry: Retry;
  /** The stream's. */
  lineage: string;
  /** How far this stream's persons are written, as far as this process knows. */
  progress: KnownProgress;
  /** What is known of the commit that this stream was begun from. */
  trust: CommitTrust;
  failpoint: (place: Failpoint) => void;
}

export type Failpoint = 'pending-committed' | 'events-moved' | 'persons-applied' | 'rows-inserted';

/** What became of a batch's entries. */
export interface BatchReport {
  entries: number;
  rows: number;
  dropped: DropCounts;
  deadLetters: number;
  /** Events that went to the lane `overflow`. */
  moved: number;
  /** For so many events ClickHouse was asked whether it has them. */
  asked: number;
}

/**
 * The consumer on one screen: a batch of events becomes rows. Answers when everything the batch says is durable; trouble
 * with an engine is waited out inside, for ever. Doing a batch again is harmless at every point (contract/capture 6.2).
 * @throws {IdentityTooLargeError} when it must be divided; each part is then a batch that may have had effects.
 */
export function processBatch(batch: Batch, context: BatchContext): Promise<BatchReport> {
  const [first, last] = [batch.records[0], batch.records.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a batch without records');
  const place = { stream: streamName(batch.stream), firstAppendedAtMs: first.appendedAtMs, lastAppendedAtMs: last.appendedAtMs };
  return context.recent.during(place, (memory) => storeBatch(batch, memory, context));
}

async function storeBatch(batch: Batch, memory: BatchMemory, context: BatchContext): Promise<BatchReport> {
  const now = isoMicroseconds(context.clock.nowMs());
  const letters = createLetterWriter(batch.stream, now);
  const rows = new OwnRows(batch.stream.lane === 'historical');
  const read = await readEvents(batch.records, { ...context, letters, rows });
  const { kept, duplicates, asked } = await dropDuplicates(read.alive, { memory, stored: context.stored, again: batch.again, trust: context.trust, retry: context.retry });
  // Replayed, or met in another lane, it is not to be taken for a duplicate.
  const doubt = (draft: EventDraft): void => memory.doubt(draft.head, draft.project.id);
  const leaving = leavingOf(batch, context, doubt);
  const { refused, left } = await storeKept({ batch, read, kept, now, leaving }, context, (draft, detail) => {
    doubt(draft);
    return letters.entry(draft.position, { reason: 'row_refused', step: 'insert', detail });
  });
  // All of it is stored. After a failure they are left to the garbage collector.
  rows.release();
  context.failpoint('rows-inserted');
  return {
    entries: read.entries,
    rows: kept.length - left - refused,
    dropped: { ...countDropped(read.ended), ...(duplicates > 0 ? { duplicate: duplicates } : {}) },
    deadLetters: read.letters.length + refused,
    moved: left,
    asked,
  };
}

interface KeptEvents {
  batch: Batch;
  read: ReadEvents;
  kept: readonly EventDraft[];
  /** UTC with six digits. */
  now: string;
  leaving: Leaving;
}

/** Brings persons and groups up to date and stores everything; answers how many events were refused, and how many left. */
async function storeKept(
  { batch, read, kept, now, leaving }: KeptEvents,
  context: BatchContext,
  refusedLetter: BatchRows['refusedLetter'],
): Promise<{ refused: number; left: number }> {
  const { retry, writeBytesMax } = context;
  const { alive, groupIndexes } = read;
  const descriptions = descriptionsOf(batch.again ? alive : kept, groupIndexes);
  const stretch = { stream: lineageName({ lineage: context.lineage, id: batch.stream }), last: batch.records.at(-1)?.offset ?? 0n, isDivisible: batch.records.length > 1 };
  const places = placesOf(batch.records);
  let warnings: readonly IngestionWarningRow[] | null = null;
  return await withFreshPersons(context, async (persons) => {
    const identity = await retry('postgres', (attempt, onSign) => {
      persons.reading();
      // A failed try may have written: then everything touched is told to ClickHouse.
      const again = batch.again || attempt > 0 || persons.round > 0;
      const identityBatch = { drafts: kept, descriptions, all: alive, now, again, writeBytesMax, leaving, onSign, ...stretch };
      return applyIdentity(identityBatch, context.identity(onSign), context.progress);
    });
    context.failpoint('persons-applied');
    // Once: the limiter would leave out what it has let through already.
    warnings ??= ownWarningRows(told(read.ended, identity), now, limiterOf(batch, context.limiter, context.clock));
    const refused = await storeRows({ outputs: context.outputs, retry: persons.retry }, batch.token, {
      events: identity.ofEvents.map((person, index) => new EventOfPerson(identity.staying[index] as EventDraft, person)),
      places,
      contents: contentsOf(identity.staying, identity.ofEvents),
      states: identity.states,
      warnings,
      letters: read.letters,
      refusedLetter,
    });
    return { refused, left: identity.left.length };
  });
}

/** Events whose warnings the project hears: those stored, those dropped for what they say, and of each project the first that left; not a duplicate's. */
function told(ended: readonly EndedEvent[], { staying, left }: Pick<AppliedIdentity, 'staying' | 'left'>): EventDraft[] {
  const contradicting = ended.flatMap(({ draft, outcome }) => (draft !== null && outcome.kind === 'drop' ? [draft] : []));
  return [...contradicting, ...staying, ...firstsOf(left)].filter(({ warnings }) => warnings.length > 0);
}

function countDropped(ended: readonly EndedEvent[]): DropCounts {
  const counts: DropCounts = {};
  for (const { outcome } of ended) {
    if (outcome.kind === 'drop') counts[outcome.reason] = (counts[outcome.reason] ?? 0) + 1;
  }
  return counts;
}
