import { setImmediate } from 'node:timers/promises';
import { isoMicroseconds } from '@millrace/runtime/clock.ts';
import type { BatchContext, BatchReport } from './batch-context.ts';
import type { BatchMemory } from '../duplicates/recent-events.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Hit } from '../exceptions/rules/hit-counts.ts';
import type { DropCounts, Outcome } from '../events/outcome.ts';
import { OwnRows } from '../events/own-columns.ts';
import { streamName } from '../stream/stream-name.ts';
import { type StoredLetter, type LetterWriter, createLetterWriter } from '../events/letters.ts';
import type { EntryRange } from '../events/entry-range.ts';
import type { Batch } from '../stream/batch.ts';

/** An event that ends before it is stored: it is dropped, or a dead letter. `draft` is null when it was unreadable. */
export interface EndedEvent {
  draft: EventDraft | null;
  outcome: Exclude<Outcome, { kind: 'ok' }>;
  step: string;
}

/** A batch of events under way: what the stages of `pipeline.ts` hand on to each other. */
export interface EventBatch {
  readonly batch: Batch;
  readonly context: BatchContext;
  /** The memory of recent events, as this batch uses it. */
  readonly memory: BatchMemory;
  /** Start of the batch, in UTC with six digits. */
  readonly now: string;
  readonly letterWriter: LetterWriter;
  /** Memory of the own columns. */
  readonly rows: OwnRows;
  /** How many there were. */
  entries: number;
  /** Events that are to be stored, unless they came before. */
  alive: EventDraft[];
  /** The part of `alive` that did not come before. */
  kept: readonly EventDraft[];
  readonly ended: EndedEvent[];
  /** Exceptions that rules dropped. */
  readonly hits: Hit[];
  /** Dead letters: entries that could not be read or processed. */
  readonly letters: StoredLetter[];
  /** Indexes of the group types that the events name, by `typeText`. */
  readonly groupIndexes: Map<string, number>;
  /** Projects with names that are stored and not learned. */
  readonly incomplete: Set<number>;
  duplicates: number;
  /** Events that were looked up in ClickHouse. */
  lookedUp: number;
}

/** Numbers of events that ClickHouse refused, and of events that were moved to `overflow`. */
export interface StoredCounts {
  refused: number;
  left: number;
}

/** Runs a pipeline on a batch, which has a part of the memory of recent events meanwhile. */
export function beginEvents(
  batch: Batch,
  context: BatchContext,
  run: (work: EventBatch) => Promise<BatchReport>,
): Promise<BatchReport> {
  const [first, last] = [batch.records[0], batch.records.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a batch without records');
  const position = {
    stream: streamName(batch.stream),
    firstAppendedAtMs: first.appendedAtMs,
    lastAppendedAtMs: last.appendedAtMs,
  };
  const now = isoMicroseconds(context.clock.nowMs());
  return context.recent.during(position, (memory) =>
    run({
      batch,
      context,
      memory,
      now,
      letterWriter: createLetterWriter(batch.stream, now),
      rows: new OwnRows(batch.stream.lane === 'historical'),
      entries: 0,
      alive: [],
      kept: [],
      ended: [],
      hits: [],
      letters: [],
      groupIndexes: new Map(),
      incomplete: new Set(),
      duplicates: 0,
      lookedUp: 0,
    }),
  );
}

/** An event goes no further. */
export function endEvent({ ended, letters, letterWriter }: EventBatch, range: EntryRange, event: EndedEvent): void {
  ended.push(event);
  const { outcome, step } = event;
  if (outcome.kind === 'dead-letter')
    letters.push(letterWriter.entry(range, { reason: outcome.reason, step, detail: outcome.detail }));
}

/** Events that are in memory with all that was made of them. */
const sliceSize = 500;

/** Slices of a list. Timers and sockets have their turn between two of them. */
export async function* slicesOf<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < items.length; from += sliceSize) {
    if (from > 0) await setImmediate();
    yield items.slice(from, from + sliceSize);
  }
}

/** Counts the batch's entries by how they ended. */
export function reportOf(
  { entries, kept, ended, letters, duplicates, lookedUp }: EventBatch,
  { refused, left }: StoredCounts,
): BatchReport {
  const dropped: DropCounts = duplicates > 0 ? { duplicate: duplicates } : {};
  for (const { outcome } of ended) {
    if (outcome.kind === 'drop') dropped[outcome.reason] = (dropped[outcome.reason] ?? 0) + 1;
  }
  return {
    entries,
    rows: kept.length - left - refused,
    dropped,
    deadLetters: letters.length + refused,
    moved: left,
    lookedUp,
  };
}
