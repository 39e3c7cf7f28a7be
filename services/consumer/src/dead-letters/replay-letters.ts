import { createHash } from 'node:crypto';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import type { AppendRecord, EventLog } from '@millrace/event-log/event-log.ts';
import type { LogView } from '@millrace/event-log/log-view.ts';
import type { QueryClickhouse } from '../duplicates/stored-events.ts';
import { storedName } from '../steps/cut-event-name.ts';
import { entriesIn } from '../events/open-records.ts';
import { findRows, isFindable } from './find-rows.ts';
import { factsOf, type EntryFacts } from './letter-events.ts';
import { matches, type LetterFilter } from './letter-filter.ts';
import { readLetters, type FoundLetter } from './read-letters.ts';

/** Result of a replay, done or only counted. */
export interface ReplayReport {
  /** Dead letters that match. */
  matched: number;
  /** Appended to their lanes again. */
  replayed: number;
  /** Left alone, because all their events have rows. */
  alreadyStored: number;
  /** Left alone, because another letter holds the same. */
  repeated: number;
  /** Counts of the appended letters, by lane. */
  lanes: Record<string, number>;
}

export interface ReplayOptions {
  filter: LetterFilter;
  /** Most letters that are read. */
  limit: number;
  /** Target of the letters; null: none, they are only counted. */
  log: Pick<EventLog, 'append' | 'partitions'> | null;
  onUnreadable: (id: string) => void;
}

const lettersAtOnce = 200;
/** Bytes of one append: a log holds a bounded amount in memory. */
const bytesAtOnce = 8_000_000;

/**
 * Appends what dead letters hold to the lanes that it was meant for, byte for byte, so with its uuid and its computed
 * timestamp (contract/capture 3.5). What has a row by now is left alone, what comes twice the consumer drops
 * (contract/decisions 35): so a replay can be repeated, also after it broke off.
 * @throws {LogUnavailableError} or {OutcomeUnknownError} when the log does not take it; what was appended before stays.
 */
export async function replayLetters(
  view: LogView,
  query: QueryClickhouse,
  options: ReplayOptions,
): Promise<ReplayReport> {
  const report: ReplayReport = { matched: 0, replayed: 0, alreadyStored: 0, repeated: 0, lanes: {} };
  const seen = new Set<string>();
  const waiting: FoundLetter[] = [];
  let bytes = 0;
  for await (const found of readLetters(view, options.onUnreadable)) {
    if (report.matched === options.limit) break;
    if (!matches(found, options.filter)) continue;
    report.matched += 1;
    const content = contentOf(found);
    if (seen.has(content)) {
      report.repeated += 1;
      continue;
    }
    seen.add(content);
    waiting.push(found);
    bytes += found.payload.length;
    if (waiting.length < lettersAtOnce && bytes < bytesAtOnce) continue;
    await replaySome(waiting.splice(0), query, options.log, report);
    bytes = 0;
  }
  await replaySome(waiting, query, options.log, report);
  return report;
}

function contentOf({ letter, payload }: FoundLetter): string {
  return createHash('sha256').update(`${letter.lane}:${letter.partition}:`).update(payload).digest('base64');
}

async function replaySome(
  letters: readonly FoundLetter[],
  query: QueryClickhouse,
  log: ReplayOptions['log'],
  report: ReplayReport,
): Promise<void> {
  // Only the consumer knows the project of a letter that has none yet.
  const known = letters
    .flatMap(({ entries }) => entries.filter(isFindable))
    .filter(({ projectId }) => projectId !== null);
  const byUuid = Map.groupBy(await findRows(query, known), ({ uuid }) => uuid);
  const isStored = ({ uuid, projectId, distinctId, event }: EntryFacts): boolean =>
    event !== null &&
    (byUuid.get(uuid ?? '') ?? []).some(
      (row) => row.projectId === projectId && row.distinctId === distinctId && row.event === storedName(event),
    );
  // One append a lane, in order; what of a lane is of one partition stays in order.
  const byLane = new Map<Lane, AppendRecord[]>();
  for (const { letter, payload } of letters) {
    const left = withoutStored(payload, isStored);
    if (left === null) {
      report.alreadyStored += 1;
      continue;
    }
    report.replayed += 1;
    report.lanes[letter.lane] = (report.lanes[letter.lane] ?? 0) + 1;
    const partition = log === null ? letter.partition : letter.partition % log.partitions;
    byLane.set(letter.lane, [...(byLane.get(letter.lane) ?? []), { partition, payload: left }]);
  }
  if (log !== null) for (const [lane, records] of byLane) await log.append(lane, records);
}

/** The payload without entries that have a row; as it is when it is no bundle; null when nothing is left. */
function withoutStored(payload: Buffer, isStored: (facts: EntryFacts) => boolean): Buffer | null {
  const entries = entriesIn(payload);
  if (entries === null) return payload;
  const left = entries.filter((entry) => !isStored(factsOf(entry)));
  if (left.length === entries.length) return payload;
  return left.length === 0 ? null : encodeBundle(left);
}
