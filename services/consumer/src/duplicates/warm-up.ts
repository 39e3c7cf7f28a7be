import { OffsetGoneError, type AssignedStream, type LogRecord } from '@millrace/event-log/event-log.ts';
import { mapInSlices } from './in-slices.ts';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import { jsonOf } from '@millrace/json/read-json.ts';
import { entriesIn } from '../events/open-records.ts';
import type { ProjectCache } from '../projects/project-cache.ts';
import type { Retry } from '../stream/retry.ts';
import type { Identified } from './event-key.ts';
import { slackMs, type RecentEvents } from './recent-events.ts';

/** How far back a stream is read: until any of these is reached. */
export interface WarmUpLimits {
  events: number;
  bytes: number;
  /** Milliseconds between the oldest record and the newest. */
  ageMs: number;
}

/** What a warm-up needs beside the stream. */
export interface WarmUpContext {
  /** The stream's name in memory. */
  name: string;
  recent: RecentEvents;
  limits: WarmUpLimits;
  retry: Retry;
  signal: AbortSignal;
  /** For events that capture could not say the project of. */
  projects: ProjectCache;
}

const readBytesMax = 4_000_000;
/** Records of the first look back; each further one is at most so many times longer. */
const recordsAtFirst = 64;
const growthMax = 8;

/** A part of the log that was read: what is in it, and when its first and last records were appended. */
interface Stretch {
  records: number;
  events: number;
  bytes: number;
  /** Nothing ever came before it in its stream. */
  isFirst: boolean;
  oldestMs: number;
  newestMs: number;
}

/**
 * Tells the memory which events lie in the log before the place where the work on a stream begins, newest stretch first, so
 * that ClickHouse need not be asked for what the log still holds. Only heads are read. Answers how many events it told.
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
  const told = { events: 0, bytes: 0 };
  while (until > 0n && take > 0) {
    const from = until > BigInt(take) ? until - BigInt(take) : 0n;
    const room = { events: Math.min(limits.events - told.events, recent.room()), bytes: limits.bytes - told.bytes };
    const stretch = await tellStretch(stream, from, until, room, context);
    if (stretch === 'gone') {
      // Retention has removed its beginning. What it left may be shorter.
      take = Math.floor(take / growthMax);
      continue;
    }
    told.events += stretch?.events ?? 0;
    told.bytes += stretch?.bytes ?? 0;
    if (stretch === null) break;
    recent.knowsSince(name, stretch.oldestMs + (stretch.isFirst ? 0 : slackMs));
    newestMs ??= stretch.newestMs;
    if (newestMs - stretch.oldestMs > limits.ageMs) break;
    until = from;
    take = nextLength(stretch, room);
  }
  return told.events;
}

/** How many records to look further back, going by those just read. */
function nextLength({ records, events, bytes }: Stretch, room: { events: number; bytes: number }): number {
  const byEvents = ((room.events - events) * records) / Math.max(1, events);
  const byBytes = ((room.bytes - bytes) * records) / Math.max(1, bytes);
  return Math.floor(Math.min(records * growthMax, byEvents, byBytes));
}

/** Reads the records from `from` to before `until`; null when nothing is there or it is far more than there is room for. */
async function tellStretch(
  stream: Pick<AssignedStream, 'read'>,
  from: bigint,
  until: bigint,
  room: { events: number; bytes: number },
  context: WarmUpContext,
): Promise<Stretch | 'gone' | null> {
  const { name, recent, retry, signal } = context;
  const stretch = { records: 0, events: 0, bytes: 0, isFirst: false, oldestMs: 0, newestMs: 0 };
  for (let next = from; next < until;) {
    if (signal.aborted || stretch.events > room.events || stretch.bytes > 2 * room.bytes) return null;
    const found = await retry('event-log', () => readOrGone(stream, next));
    if (found === 'gone') return 'gone';
    const records = found.filter(({ offset }) => offset < until);
    if (stretch.records === 0) {
      stretch.oldestMs = records[0]?.appendedAtMs ?? 0;
      stretch.isFirst = records[0]?.offset === 0n;
    }
    for (const { payload, appendedAtMs } of records) {
      stretch.records += 1;
      stretch.bytes += payload.length;
      recent.passing(name, appendedAtMs);
      stretch.events += await tellEntries(payload, context);
      stretch.newestMs = appendedAtMs;
    }
    const last = found.at(-1);
    if (last === undefined) break;
    next = last.offset + 1n;
  }
  return stretch.records === 0 ? null : stretch;
}

async function readOrGone(stream: Pick<AssignedStream, 'read'>, from: bigint): Promise<LogRecord[] | 'gone'> {
  try {
    return await stream.read(from, { maxBytes: readBytesMax, waitMs: 0 });
  } catch (error) {
    if (error instanceof OffsetGoneError) return 'gone';
    throw error;
  }
}

async function tellEntries(payload: Buffer, { recent, retry, projects }: WarmUpContext): Promise<number> {
  // What is no bundle: its dead letter says so.
  const entries = entriesIn(payload) ?? [];
  const homeless: PassedEvent[] = [];
  await mapInSlices(entries, ({ head }) => {
    const event = identify(head);
    if (event === null) return;
    if (event.projectId === null) homeless.push(event);
    else recent.passed(event, event.projectId);
  });
  if (homeless.length === 0) return entries.length;
  const found = await retry('postgres', () => projects.load(new Set(), new Set(homeless.map(({ token }) => token))));
  for (const event of homeless) {
    const project = found.byToken(event.token);
    if (project !== null) recent.passed(event, project.id);
  }
  return entries.length;
}

type PassedEvent = Identified & { token: string; projectId: number | null };

/** Null for what never was an event of its own. */
function identify(head: Buffer): PassedEvent | null {
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
