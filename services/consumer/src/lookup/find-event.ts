import type { Lane } from '@millrace/contracts/lanes.ts';
import type { LogView } from '@millrace/event-log/log-view.ts';
import { isoMicroseconds, type Clock } from '@millrace/runtime/clock.ts';
import { consumedLanes } from '../stream/consumed-lanes.ts';
import type { StoredRow } from '../dead-letters/find-rows.ts';
import { maskSecret } from '../dead-letters/mask-secrets.ts';
import { readLetters } from '../dead-letters/read-letters.ts';
import { summarize, type LetterSummary } from '../dead-letters/show-letter.ts';
import type { QueryClickhouse } from '../duplicates/stored-events.ts';
import type { DropReason } from '../events/outcome.ts';
import type { ProjectCache } from '../projects/project-cache.ts';
import { decodePendingRange, PendingRangeError } from '../stream/pending-range.ts';
import { findStored, findWarnings, type NamingWarning } from './query-event.ts';
import { measureLag, progressOf, type LaneLag, type StreamProgress } from './measure-lag.ts';
import { searchLog, type LoggedEvent, type SearchExtent } from './search-log.ts';

type ReadState = 'not_yet_read' | 'being_processed' | 'read';

/** Position of an event in the log, and whether the consumer has read it there. */
interface LogPosition {
  lane: Lane;
  partition: number;
  /** The embedded log's; empty in Kafka. */
  writer: string;
  offset: string;
  /** Within the record. */
  index: number;
  appendedAt: string;
  state: ReadState;
  /** Why the consumer drops it, or did, by its project as it is now; null: it does not. */
  dropReason: DropReason | null;
  projectId: number | null;
  token: string | null;
  event: string | null;
  distinctId: string | null;
  timestamp: string | null;
}

/**
 * `stored`: it has a row. `dead_letter`: it waits for a replay. `not_yet_read`, `being_processed`: the consumer will come to it.
 * `dropped`: it was read and has no row; warnings may say why. `not_found`: nowhere, as far as was searched.
 */
type Fate = 'stored' | 'dead_letter' | 'not_yet_read' | 'being_processed' | 'dropped' | 'not_found';

/** Everything that is known of an event. */
export interface EventLookup {
  uuid: string;
  outcome: Fate;
  positions: LogPosition[];
  stored: StoredRow[];
  deadLetters: LetterSummary[];
  warnings: NamingWarning[];
  lag: LaneLag[];
  searched: SearchExtent;
}

export interface FindOptions {
  /** Project of the event, if known: makes the search in ClickHouse quick. */
  projectId: number | null;
  /** Longest search of the log. */
  secondsMax: number;
  onProgress: (lane: Lane, extent: SearchExtent) => void;
}

export interface FindContext {
  view: LogView;
  query: QueryClickhouse;
  projects: ProjectCache;
  /** The consumer's group. */
  group: string;
  clock: Clock;
}

/**
 * Looks for an event wherever it can be: the log first, so that what is read meanwhile is found in ClickHouse after it.
 * @throws {Error} when ClickHouse cannot be queried, with what the log knows of the event.
 */
export async function findEvent(
  { view, query, projects, group, clock }: FindContext,
  uuid: string,
  options: FindOptions,
): Promise<EventLookup> {
  const untilMs = performance.now() + options.secondsMax * 1000;
  const streams = await view.streams(consumedLanes);
  const { found, extent } = await searchLog(streams, uuid, { projects, untilMs, onProgress: options.onProgress });
  const letters = await lettersAbout(view, uuid);
  const progress = await progressOf(view, group, streams);

  const known = [
    ...found.map(({ facts }) => facts),
    ...letters.flatMap(({ entries }) => entries.filter((entry) => entry.uuid === uuid)),
  ];
  const projectId = options.projectId ?? known.find((facts) => facts.projectId !== null)?.projectId ?? null;
  const stored = await findStored(query, uuid, known, projectId).catch((cause: unknown) => {
    throw new Error(
      `Whether event ${uuid} is stored cannot be told; ${inLog(
        found.map((event) => positionOf(event, progress)),
        letters,
      )}`,
      { cause },
    );
  });
  const positions = found.map((event) => positionOf(asStored(event, stored), progress));
  const warnings = await findWarnings(query, uuid, projectId);
  const deadLetters = letters.map(summarize);
  return {
    uuid,
    outcome: fateOf({ positions, stored, deadLetters, warnings }),
    positions,
    stored,
    deadLetters,
    warnings,
    lag: await measureLag(progress, clock.nowMs()),
    searched: extent,
  };
}

async function lettersAbout(view: LogView, uuid: string) {
  const letters = [];
  for await (const found of readLetters(view, () => undefined)) {
    if (found.entries.some((entry) => entry.uuid === uuid)) letters.push(found);
  }
  return letters;
}

/** Pure. */
function inLog(positions: readonly LogPosition[], letters: readonly unknown[]): string {
  if (positions.length === 0)
    return letters.length > 0 ? 'in the log it is a dead letter' : 'it was not found in the log';
  const shown = positions.map(
    ({ lane, partition, offset, state }) =>
      `lane ${lane}, partition ${partition}, offset ${offset}, ${state.replaceAll('_', ' ')}`,
  );
  return `in the log: ${shown.join('; ')}`;
}

/** Explains an event without a project. One that has a row was not dropped: its project was deleted since. Pure. */
function asStored(event: LoggedEvent, stored: readonly StoredRow[]): LoggedEvent {
  const { dropReason, facts } = event;
  const isStored = stored.some(({ projectId }) => facts.projectId === null || projectId === facts.projectId);
  return dropReason === 'unknown_project' && isStored ? { ...event, dropReason: null } : event;
}

function positionOf(
  { stream: id, offset, index, appendedAtMs, facts, dropReason }: LoggedEvent,
  progress: readonly StreamProgress[],
): LogPosition {
  const { uuid: _, token, ...rest } = facts;
  return {
    ...id,
    offset: String(offset),
    index,
    appendedAt: isoMicroseconds(appendedAtMs),
    state: stateOf(offset, progress.find((each) => each.stream.id === id) ?? null),
    dropReason,
    ...rest,
    token: token === null ? null : maskSecret(token),
  };
}

function stateOf(offset: bigint, progress: StreamProgress | null): ReadState {
  const committed = progress?.committed ?? null;
  if (committed === null) return 'not_yet_read';
  if (offset < committed.offset) return 'read';
  const pending = pendingOf(committed.metadata);
  return pending !== null && offset >= pending.first && offset <= pending.last ? 'being_processed' : 'not_yet_read';
}

function pendingOf(metadata: string): ReturnType<typeof decodePendingRange> {
  try {
    return decodePendingRange(metadata);
  } catch (error) {
    // A commit of another release: records after its offset count as not read.
    if (error instanceof PendingRangeError) return null;
    throw error;
  }
}

/** Pure. */
function fateOf({
  positions,
  stored,
  deadLetters,
  warnings,
}: Pick<EventLookup, 'positions' | 'stored' | 'deadLetters' | 'warnings'>): Fate {
  if (stored.length > 0) return 'stored';
  // A replay that is under way comes after the dead letter that it is of.
  const states = new Set(positions.map(({ state }) => state));
  if (states.has('being_processed')) return 'being_processed';
  if (states.has('not_yet_read')) return 'not_yet_read';
  if (deadLetters.length > 0) return 'dead_letter';
  if (states.has('read') || warnings.some(({ severity }) => severity === 'error')) return 'dropped';
  return 'not_found';
}
