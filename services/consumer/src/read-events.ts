import { setImmediate } from 'node:timers/promises';
import type { LogRecord } from '@millrace/event-log/event-log.ts';
import type { EventDraft } from './event-draft.ts';
import { attachGroups, typesOf } from './groups/attach-groups.ts';
import type { GroupTypes } from './groups/group-types.ts';
import { openRecords, type LetterWriter, type PlacedEntry } from './open-records.ts';
import { unexpectedFault, type Outcome } from './outcome.ts';
import type { KeptLetter } from './outputs.ts';
import type { OwnRows } from './own-columns.ts';
import { processEvent, readEntry } from './process-event.ts';
import { loadProjects } from './projects/load-projects.ts';
import type { ProjectCache } from './projects/project-cache.ts';
import type { Retry } from './stream/retry.ts';

interface ReadingContext {
  projects: ProjectCache;
  groupTypes: GroupTypes;
  retry: Retry;
  letters: LetterWriter;
  /** Where the own columns are written. */
  rows: OwnRows;
}

/** An event that ends before it is stored: it is dropped, or a dead letter. `draft` is null when it was unreadable. */
export interface EndedEvent {
  draft: EventDraft | null;
  outcome: Exclude<Outcome, { kind: 'ok' }>;
  step: string;
}

export interface ReadEvents {
  /** How many there were. */
  entries: number;
  /** Those that are to be stored, unless they came before. Their own columns are written. */
  alive: EventDraft[];
  ended: EndedEvent[];
  /** What could not be read or processed. */
  letters: KeptLetter[];
  /** Of the group types that they name, by `typeText`. */
  groupIndexes: Map<string, number>;
}

/** Events that are in memory with all that was made of them. Timers and sockets have their turn between two slices. */
const sliceSize = 500;

/**
 * Records to drafts that have run through all of their own steps (`process-event.ts`). A slice at a time: what the steps make of
 * an event is garbage before the collector has copied it even once.
 */
export async function readEvents(records: readonly LogRecord[], context: ReadingContext): Promise<ReadEvents> {
  const { entries, unreadable } = openRecords(records, context.letters);
  const all: ReadEvents = { entries: entries.length, alive: [], ended: [], letters: unreadable, groupIndexes: new Map() };
  for (let from = 0; from < entries.length; from += sliceSize) {
    if (from > 0) await setImmediate();
    await readSlice(entries.slice(from, from + sliceSize), context, all);
  }
  return all;
}

async function readSlice(entries: readonly PlacedEntry[], { projects, groupTypes, retry, letters, rows }: ReadingContext, all: ReadEvents): Promise<void> {
  const end = (placed: PlacedEntry, ended: EndedEvent): void => {
    all.ended.push(ended);
    const { outcome, step } = ended;
    if (outcome.kind === 'dead-letter') all.letters.push(letters.entry(placed, { reason: outcome.reason, step, detail: outcome.detail }));
  };
  const read = entries.map(readEntry);
  const known = await retry('postgres', () => loadProjects(read, projects));
  const alive: EventDraft[] = [];
  read.forEach((event, index) => {
    const { draft, outcome, step } = processEvent(event, known);
    if (outcome.kind !== 'ok') end(entries[index] as PlacedEntry, { draft, outcome, step });
    else if (draft !== null) alive.push(draft);
  });
  const indexes = await retry('postgres', () => groupTypes.load(typesOf(alive)));
  for (const [type, index] of indexes) all.groupIndexes.set(type, index);
  for (const draft of alive) {
    attachGroups(draft, indexes);
    const outcome = writeOwn(draft, rows);
    if (outcome === null) all.alive.push(draft);
    else end(draft.position, { draft, outcome, step: 'write-own-columns' });
  }
}

/** Null: its own columns are written. */
function writeOwn(draft: EventDraft, rows: OwnRows): EndedEvent['outcome'] | null {
  try {
    rows.write(draft);
    return null;
  } catch (error) {
    return unexpectedFault(error);
  }
}
