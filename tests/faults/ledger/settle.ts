import type { SentEvent } from './ledger.ts';

/** A row of ClickHouse's table of events. */
export interface StoredRow {
  uuid: string;
  projectId: number;
  distinctId: string;
  /** Time of its insert, in milliseconds since 1970. */
  insertedMs: number;
  /** The person's property `number` as the row has it; null when it has none. */
  personNumber: number | null;
}

/** State that is compared with the ledger. */
export interface Stored {
  rows: readonly StoredRow[];
  /** The property `number` that each person has in the end, by `personKey`. */
  persons: ReadonlyMap<string, number>;
}

/** The ledger's verdict. Events by their uuids. */
export interface Settlement {
  sent: number;
  acked: number;
  /** Rows of the two projects. */
  stored: number;
  /** Acknowledged, and not there. */
  lost: string[];
  /** There more than once. */
  doubled: string[];
  /** See `outOfOrder`. */
  outOfOrder: string[];
  /** Rows in another project than theirs, or that no client sent. */
  foreign: string[];
  /** From each fault to the moment when all that was acknowledged by then was stored: the longest, in milliseconds. */
  recoveryMs: number;
  /** The longest time in which something acknowledged waited and nothing at all was stored, in milliseconds. */
  standstillMs: number;
}

export const personKey = (projectId: number, distinctId: string): string => `${projectId}:${distinctId}`;

/** Compares what clients know with what is there. `faultsMs`: when each fault was over, or happened if it was a moment. Pure. */
export function settle(
  events: readonly SentEvent[],
  { rows, persons }: Stored,
  faultsMs: readonly number[],
): Settlement {
  const sent = new Map(events.map((event) => [event.uuid, event]));
  const first = new Map<string, StoredRow>();
  const doubled = new Set<string>();
  const foreign = new Set<string>();
  for (const row of rows) {
    if (sent.get(row.uuid)?.projectId !== row.projectId) foreign.add(row.uuid);
    else if (first.has(row.uuid)) doubled.add(row.uuid);
    else first.set(row.uuid, row);
  }
  const acked = events.filter(({ ackedMs }) => ackedMs !== null);
  const waits = acked.flatMap(({ uuid, ackedMs }) => {
    const row = first.get(uuid);
    return row === undefined || ackedMs === null ? [] : [{ fromMs: ackedMs, untilMs: row.insertedMs }];
  });
  return {
    sent: events.length,
    acked: acked.length,
    stored: rows.length,
    lost: acked.filter(({ uuid }) => !first.has(uuid)).map(({ uuid }) => uuid),
    doubled: [...doubled],
    outOfOrder: outOfOrder(events, first, persons),
    foreign: [...foreign],
    recoveryMs: Math.max(
      0,
      ...faultsMs.map((faultMs) => lastOf(waits.filter(({ fromMs }) => fromMs <= faultMs)) - faultMs),
    ),
    standstillMs: longestStandstill(waits),
  };
}

interface Wait {
  fromMs: number;
  untilMs: number;
}

const lastOf = (waits: readonly Wait[]): number => waits.reduce((last, { untilMs }) => Math.max(last, untilMs), 0);

/**
 * Each client sends the next event of a distinct id only when the one before was answered, so their numbers are the order
 * of arrival. Out of order is: an event that was inserted before an earlier one of its distinct id; one whose row shows
 * another state of the person than the one that it made; and the last of a person who is left with another state.
 */
function outOfOrder(
  events: readonly SentEvent[],
  rows: ReadonlyMap<string, StoredRow>,
  persons: ReadonlyMap<string, number>,
): string[] {
  const found = new Set<string>();
  for (const [key, all] of groupByPerson(events)) {
    let newest = -Infinity;
    let lastSet: SentEvent | null = null;
    for (const event of all.sort((a, b) => a.number - b.number)) {
      const row = rows.get(event.uuid);
      if (row === undefined) continue;
      if (row.insertedMs < newest || (event.sets && row.personNumber !== event.number)) found.add(event.uuid);
      newest = Math.max(newest, row.insertedMs);
      if (event.sets) lastSet = event;
    }
    if (lastSet !== null && persons.get(key) !== lastSet.number) found.add(lastSet.uuid);
  }
  return [...found];
}

function groupByPerson(events: readonly SentEvent[]): Map<string, SentEvent[]> {
  const groups = new Map<string, SentEvent[]>();
  for (const event of events) {
    const key = personKey(event.projectId, event.distinctId);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return groups;
}

/** Between two inserts, from the moment when there was something to insert. */
function longestStandstill(waits: readonly Wait[]): number {
  const byInsert = [...waits].sort((a, b) => a.untilMs - b.untilMs);
  // For each insert, since when the oldest of what it or a later one brought was waiting.
  const oldest = new Array<number>(byInsert.length);
  byInsert.reduceRight((soFar, { fromMs }, at) => (oldest[at] = Math.min(soFar, fromMs)), Infinity);
  let longest = 0;
  let previous = -Infinity;
  for (const [at, { untilMs }] of byInsert.entries()) {
    longest = Math.max(longest, untilMs - Math.max(previous, oldest[at] ?? untilMs));
    previous = untilMs;
  }
  return longest;
}
