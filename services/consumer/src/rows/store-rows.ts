import type { RowList, WritingRow } from '@millrace/clickhouse/insert/row-list.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { groupRow } from '../groups/group-rows.ts';
import type { IdentityStates } from '../identity/apply-identity.ts';
import { partsOf } from '../identity/read-whole.ts';
import { insertIsolating, type IndexedRow } from './insert-isolating.ts';
import type { Outputs } from './outputs.ts';
import type { PersonProperties } from '../persons/person.ts';
import { personContentRow, type PersonContent } from '../persons/person-contents.ts';
import { overrideRows, personDistinctIdRow, personRow, removedPersonRow } from '../persons/person-rows.ts';
import type { RowIndex } from './row-index.ts';
import type { TableName, TableRows } from './rows.ts';
import type { Retry } from '../stream/retry.ts';
import type { StoredLetter } from '../events/letters.ts';

/** Everything that a batch stores. */
export interface BatchRows {
  events: readonly StorableEvent[];
  rowIndex: RowIndex;
  /** Contents that rows of these events name. */
  contents: readonly PersonContent[];
  states: IdentityStates;
  warnings: readonly TableRows['ingestion_warnings'][];
  letters: readonly StoredLetter[];
  refusedLetter: (draft: EventDraft, detail: string) => StoredLetter;
}

interface Sink {
  outputs: Outputs;
  retry: Retry;
}

/**
 * An event that is to be stored. Its row is made when it is needed: only the bytes that are made of it need to be in
 * memory.
 */
export interface StorableEvent extends IndexedRow<WritingRow> {
  readonly draft: EventDraft;
  /** Estimated characters of its row. */
  readonly size: number;
}

/**
 * Characters of the rows of one insert. A batch is bounded by its bytes in the log; a row has the properties of its person
 * beside them, up to 16 KiB as text and as much again by name, so that 50,000 small events of such persons would be 1.6 GB in one body.
 */
const insertSizeMax = 128_000_000;

function isTooMuch(events: readonly StorableEvent[]): boolean {
  let size = 0;
  for (const event of events) size += event.size;
  return size > insertSizeMax;
}

/**
 * Stores all of it, and returns how many events ClickHouse refused for good; those are dead letters then. Warnings go
 * first: a batch that is done again says nothing about events that are stored. Then the properties that rows of events
 * name: no row without them. The rest goes side by side.
 *
 * Events and warnings carry the batch's token, so that a second insert has no effect. Persons, distinct ids and groups
 * carry none: their rows are versions of a state, the highest wins, and a batch that is done again may have a newer
 * one.
 */
export async function storeRows(sink: Sink, token: string, rows: BatchRows): Promise<number> {
  const { outputs, retry } = sink;
  const { persons, removed, mappings, groups } = rows.states;
  const plain = <T extends TableName>(
    table: T,
    some: readonly TableRows[T][],
    dedupeToken: string | null,
  ): Promise<void> =>
    some.length === 0 ? Promise.resolve() : retry('clickhouse', () => outputs.insert(table, some, dedupeToken));
  await plain('ingestion_warnings', rows.warnings, `warnings:${token}`);
  await storeStates(sink, 'person_contents', rows.contents, personContentRow);
  const [refused] = await Promise.all([
    storeEvents(sink, `events:${token}`, rows),
    storeStates(sink, 'persons', persons, personRow),
    plain('persons', removed.map(removedPersonRow), null),
    plain('person_distinct_ids', mappings.map(personDistinctIdRow), null),
    plain('person_overrides', overrideRows(mappings), null),
    storeStates(sink, 'groups', groups, groupRow),
  ]);
  const letters = [...rows.letters, ...refused];
  if (letters.length > 0) await retry('event-log', () => outputs.keepDeadLetters(letters));
  return refused.length;
}

/** Properties may be large: a part of the rows at a time, each made when its bytes are written. */
async function storeStates<T extends TableName, State extends { properties: PersonProperties }>(
  { outputs, retry }: Sink,
  table: T,
  states: readonly State[],
  toRow: (state: State) => TableRows[T],
): Promise<void> {
  for (const part of partsOf(states, ({ properties }) => properties.textLength)) {
    const rows: RowList<TableRows[T]> = { length: part.length, at: (index) => toRow(part[index] as State) };
    await retry('clickhouse', () => outputs.insert(table, rows, null));
  }
}

/**
 * Only an event can be refused for good. A row that the consumer made of its own state and the engine does not take is
 * a failure like any other. Each insert is a sign of life: to find the refused rows may take a hundred of them.
 */
async function storeEvents(
  { outputs, retry }: Sink,
  token: string,
  { events, rowIndex, refusedLetter }: BatchRows,
): Promise<StoredLetter[]> {
  const refused = await retry('clickhouse', async (_, alive) => {
    const found = new Map<StorableEvent, string>();
    const insert = async (rows: RowList<WritingRow>, part: string): Promise<void> => {
      alive();
      await outputs.insert('events', rows, part);
    };
    await insertIsolating<WritingRow, StorableEvent>(events, token, { insert, rowIndex, isTooMuch, refused: found });
    return found;
  });
  return [...refused].map(([{ draft }, detail]) => refusedLetter(draft, detail));
}
