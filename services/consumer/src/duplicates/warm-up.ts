import { OffsetGoneError, type AssignedStream, type LogRecord } from '@millrace/event-log/event-log.ts';
import { mapInSlices } from './in-slices.ts';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import { jsonOf } from '@millrace/json/read-json.ts';
import { entriesIn } from '../events/open-records.ts';
import type { ProjectCache } from '../projects/project-cache.ts';
import type { Retry } from '../stream/retry.ts';
import type { Identified } from './event-key.ts';
import { slackMs, type RecentEvents } from './recent-events.ts';

/** Limits of reading a stream backwards: it ends when any of them is reached. */
export interface WarmUpLimits {
  events: number;
  bytes: number;
  /** Milliseconds between the oldest record and the newest. */
  ageMs: number;
}

/** Context of a warm-up beside the stream. */
export interface WarmUpContext {
  /** The stream's name in memory. */
  name: string;
  recent: RecentEvents;
  limits: WarmUpLimits;
  retry: Retry;
  signal: AbortSignal;
  /** For events whose project capture did not know. */
  projects: ProjectCache;
}

const readBytesMax = 4_000_000;
/** Records of the first read backwards. Each further read is longer by at most this factor. */
const recordsAtFirst = 64;
const growthMax = 8;

/** A part of the log that was read: what is in it, and when its first and last records were appended. */
interface LogRange {
  records: number;
  events: number;
  bytes: number;
  /** The stream has no earlier record. */
  isFirst: boolean;
  oldestMs: number;
  newestMs: number;
}

/**
 * Fills the memory with the events in front of the committed offset of a stream, newest range first, so that ClickHouse
 * need not be queried for events that the log still holds. Only heads are read. Returns how many events were added.
 */
export async function warmUp(
  stream: Pick<AssignedStream, 'committed' | 'read'>,
  context: WarmUpContext,
): Promise<number> {
  const { name, recent, limits } = context;
  recent.forget(name);
  let until = stream.committed?.offset ?? 0n;
  let take = recordsAtFirst;
  let newestMs: number | null = null;
  const added = { events: 0, bytes: 0 };
  while (until > 0n && take > 0) {
    const from = until > BigInt(take) ? until - BigInt(take) : 0n;
    const capacity = {
      events: Math.min(limits.events - added.events, recent.capacityLeft()),
      bytes: limits.bytes - added.bytes,
    };
    const range = await addRange(stream, from, until, capacity, context);
    if (range === 'gone') {
      // Retention has removed its beginning. What it left may be shorter.
      take = Math.floor(take / growthMax);
      continue;
    }
    added.events += range?.events ?? 0;
    added.bytes += range?.bytes ?? 0;
    if (range === null) break;
    recent.setKnownSince(name, range.oldestMs + (range.isFirst ? 0 : slackMs));
    newestMs ??= range.newestMs;
    if (newestMs - range.oldestMs > limits.ageMs) break;
    until = from;
    take = nextLength(range, capacity);
  }
  return added.events;
}

/** Number of records to read further back, estimated from those just read. */
function nextLength({ records, events, bytes }: LogRange, capacity: { events: number; bytes: number }): number {
  const byEvents = ((capacity.events - events) * records) / Math.max(1, events);
  const byBytes = ((capacity.bytes - bytes) * records) / Math.max(1, bytes);
  return Math.floor(Math.min(records * growthMax, byEvents, byBytes));
}

/** Reads the records from `from` to before `until`; null when there are none, or far more than the memory holds. */
async function addRange(
  stream: Pick<AssignedStream, 'read'>,
  from: bigint,
  until: bigint,
  capacity: { events: number; bytes: number },
  context: WarmUpContext,
): Promise<LogRange | 'gone' | null> {
  const { name, recent, retry, signal } = context;
  const range = { records: 0, events: 0, bytes: 0, isFirst: false, oldestMs: 0, newestMs: 0 };
  for (let next = from; next < until;) {
    if (signal.aborted || range.events > capacity.events || range.bytes > 2 * capacity.bytes) return null;
    const found = await retry('event-log', () => readOrGone(stream, next));
    if (found === 'gone') return 'gone';
    const records = found.filter(({ offset }) => offset < until);
    if (range.records === 0) {
      range.oldestMs = records[0]?.appendedAtMs ?? 0;
      range.isFirst = records[0]?.offset === 0n;
    }
    for (const { payload, appendedAtMs } of records) {
      range.records += 1;
      range.bytes += payload.length;
      recent.addRecordTime(name, appendedAtMs);
      range.events += await addEntries(payload, context);
      range.newestMs = appendedAtMs;
    }
    const last = found.at(-1);
    if (last === undefined) break;
    next = last.offset + 1n;
  }
  return range.records === 0 ? null : range;
}

async function readOrGone(stream: Pick<AssignedStream, 'read'>, from: bigint): Promise<LogRecord[] | 'gone'> {
  try {
    return await stream.read(from, { maxBytes: readBytesMax, waitMs: 0 });
  } catch (error) {
    if (error instanceof OffsetGoneError) return 'gone';
    throw error;
  }
}

async function addEntries(payload: Buffer, { recent, retry, projects }: WarmUpContext): Promise<number> {
  // A record that is no bundle has no entries, and becomes a dead letter.
  const entries = entriesIn(payload) ?? [];
  const homeless: SeenEvent[] = [];
  await mapInSlices(entries, ({ head }) => {
    const event = identify(head);
    if (event === null) return;
    if (event.projectId === null) homeless.push(event);
    else recent.addSeen(event, event.projectId);
  });
  if (homeless.length === 0) return entries.length;
  const found = await retry('postgres', () => projects.load(new Set(), new Set(homeless.map(({ token }) => token))));
  for (const event of homeless) {
    const project = found.byToken(event.token);
    if (project !== null) recent.addSeen(event, project.id);
  }
  return entries.length;
}

type SeenEvent = Identified & { token: string; projectId: number | null };

/** Null for what never was an event of its own. */
function identify(head: Buffer): SeenEvent | null {
  const value = jsonOf(head);
  if (!isJsonObject(value)) return null;
  const { uuid, token, projectId, event, distinctId } = value;
  const isWhole =
    typeof uuid === 'string' &&
    typeof token === 'string' &&
    typeof event === 'string' &&
    typeof distinctId === 'string';
  return isWhole
    ? { uuid, token, projectId: typeof projectId === 'number' ? projectId : null, event, distinctId }
    : null;
}
