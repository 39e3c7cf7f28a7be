import type { Lane } from '@millrace/contracts/lanes.ts';
import type { LogRecord, StreamId } from '@millrace/event-log/event-log.ts';
import type { ViewedStream } from '@millrace/event-log/log-view.ts';
import { factsOf, type EntryFacts } from '../dead-letters/letter-events.ts';
import { openRecords } from '../events/open-records.ts';
import type { DropReason } from '../events/outcome.ts';
import type { ProjectCache } from '../projects/project-cache.ts';
import { dropReasonOf } from './drop-reason.ts';
import { createLetterWriter } from '../events/letters.ts';

/** An entry of the log. */
export interface LoggedEvent {
  stream: StreamId;
  offset: bigint;
  index: number;
  appendedAtMs: number;
  facts: EntryFacts;
  /** Why the consumer drops it, or null: it does not. */
  dropReason: DropReason | null;
}

/** Searched records and bytes. */
export interface SearchExtent {
  records: number;
  bytes: number;
  /** All that the log keeps; false when the time was over before. */
  complete: boolean;
}

export interface SearchOptions {
  /** Called for the projects of the events that are found. */
  projects: ProjectCache;
  /** `performance.now()` at which the search ends. */
  untilMs: number;
  onProgress: (lane: Lane, extent: SearchExtent) => void;
}

/** Records of a stream that are searched before it is another stream's turn. */
const rangeRecords = 2_000n;
const readBytes = 4_000_000;

/**
 * Looks for an event in these streams, newest records first, a range of each in turn; ends with the round in which it is
 * found, for it may lie in several streams.
 */
export async function searchLog(
  streams: readonly ViewedStream[],
  uuid: string,
  { projects, untilMs, onProgress }: SearchOptions,
): Promise<{ found: LoggedEvent[]; extent: SearchExtent }> {
  const extent: SearchExtent = { records: 0, bytes: 0, complete: false };
  const found: LoggedEvent[] = [];
  let left = streams.map((stream) => ({ stream, end: stream.end }));
  while (found.length === 0 && left.length > 0) {
    for (const turn of left) {
      if (performance.now() > untilMs) return { found, extent };
      const { stream, end } = turn;
      turn.end = end - rangeRecords > stream.begin ? end - rangeRecords : stream.begin;
      for await (const record of recordsOf(stream, turn.end, end)) {
        extent.records += 1;
        extent.bytes += record.payload.length;
        found.push(...(await eventsIn(record, stream.id, uuid, projects)));
      }
      onProgress(stream.id.lane, extent);
    }
    left = left.filter(({ stream, end }) => end > stream.begin);
  }
  return { found, extent: { ...extent, complete: left.length === 0 } };
}

async function* recordsOf(stream: ViewedStream, from: bigint, to: bigint): AsyncGenerator<LogRecord> {
  for (let next = from; next < to;) {
    const records = await stream.read(next, readBytes);
    if (records.length === 0) return;
    yield* records.filter(({ offset }) => offset < to);
    next = (records.at(-1)?.offset ?? next) + 1n;
  }
}

/** The entries of a record that have this uuid; another event that only mentions it has not. */
async function eventsIn(
  record: LogRecord,
  stream: StreamId,
  uuid: string,
  projects: ProjectCache,
): Promise<LoggedEvent[]> {
  // Searching bytes is a hundred times faster than reading JSON.
  if (!record.payload.includes(uuid)) return [];
  const { offset, appendedAtMs } = record;
  const events: LoggedEvent[] = [];
  for (const range of openRecords([record], createLetterWriter(stream, '')).entries) {
    const facts = factsOf(range);
    if (facts.uuid === uuid)
      events.push({
        stream,
        offset,
        index: range.index,
        appendedAtMs,
        facts,
        dropReason: await dropReasonOf(range, projects),
      });
  }
  return events;
}
