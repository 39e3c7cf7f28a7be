import { isoMicroseconds } from '@millrace/runtime/clock.ts';
import type { CapturedEvent } from '@millrace/captured-event/captured-event.ts';
import { eventKey, uuidTimeMs, type Identified } from './event-key.ts';
import { FailedBatches } from './failed-batches.ts';
import type { WithoutSlot } from '../stream/lane-scheduler.ts';
import { UuidTable, type EventKey } from './uuid-table.ts';

/**
 * What the memory says of an event that is about to be stored: it came before in the same batch; it is stored; whether it
 * is stored is not known; it is new.
 */
type Recalled = 'twice' | 'stored' | 'doubtful' | 'new';

type Met = Identified & Pick<CapturedEvent, 'timestamp'>;

/** The memory while one batch is under way. */
export interface BatchMemory {
  /** Says what is known of an event and remembers that this batch is about to store it. */
  meet(event: Met, projectId: number): Recalled;
  /**
   * Resolves when the batches have ended that were about to store a doubtful event of this one before it was met here. The
   * wait holds no slot: such a batch may need one to end.
   */
  othersEnded(withoutSlot: WithoutSlot): Promise<void>;
  /** This one is not stored by this batch after all: whether it is or will be by another is open. */
  doubt(event: Identified, projectId: number): void;
}

/** Where a batch stands: of which stream it is, and when its first and last records were appended. */
export interface BatchPlace {
  stream: string;
  firstAppendedAtMs: number;
  lastAppendedAtMs: number;
}

/** The events that this process stored not long ago, of all its streams, and those that the log holds before them. */
export interface RecentEvents {
  /** Runs the work on a batch. When it resolves, all that the batch met is stored; when it throws, that is open. */
  during<T>(place: BatchPlace, work: (memory: BatchMemory) => Promise<T>): Promise<T>;
  /** A stream is this process's from now on: what others did with it meanwhile is not known. */
  forget(stream: string): void;
  /** An event that was read before the place where the work on its stream begins: maybe it was stored, maybe not. */
  passed(event: Identified, projectId: number): void;
  /** A record of the stream, appended then, is one whose events are about to be `passed`. */
  passing(stream: string, appendedAtMs: number): void;
  /** Of the stream's events those that may have come first before then are not known; all others were `passed`, or will be met. */
  knowsSince(stream: string, sinceMs: number): void;
  /** How many more events it takes before it forgets the oldest. */
  room(): number;
}

/** The event came by in the log; it may have been stored, or dropped, or be a dead letter. */
const passedMark = 1;
const firstBatch = 2;

/**
 * An event was appended after it was made, but when it was made is only known to within the time that its request took:
 * so much earlier than its timestamp says it may have come first.
 */
export const slackMs = 5_000;

interface Generation {
  table: UuidTable;
  /** When the newest record of a stream was appended whose events may be in here. */
  newestMs: Map<string, number>;
}

/**
 * Two tables of equal, fixed size: when the younger is full, the older is emptied and becomes the younger. So it remembers
 * at least 0.67 × 2^slotsLog2 events and at most twice as many, in 2 × 24 × 2^slotsLog2 bytes.
 */
export function createRecentEvents(slotsLog2: number): RecentEvents {
  let young: Generation = { table: new UuidTable(slotsLog2), newestMs: new Map() };
  let old: Generation = { table: new UuidTable(slotsLog2), newestMs: new Map() };
  /** Of each stream: an event made before may have come before what was ever told of it, */
  const told = new Map<string, number>();
  /** or before what is left of that. */
  const forgotten = new Map<string, number>();
  /** How often something was forgotten. */
  let losses = 0;
  let lastBatch = firstBatch - 1;
  /** Batches under way, each until it has ended. */
  const underWay = new Map<number, Promise<void>>();
  const failed = new FailedBatches();

  function remember(key: EventKey, mark: number): void {
    if (young.table.size >= young.table.capacity) {
      for (const [stream, appendedAtMs] of old.newestMs)
        forgotten.set(stream, Math.max(forgotten.get(stream) ?? -Infinity, appendedAtMs + slackMs));
      losses += 1;
      failed.forgetBefore(losses - 1);
      old.table.clear();
      old.newestMs.clear();
      [young, old] = [old, young];
    }
    young.table.set(key, mark);
  }

  function markOf(key: EventKey): number {
    return young.table.get(key) || old.table.get(key);
  }

  function sees(stream: string, appendedAtMs: number): void {
    young.newestMs.set(stream, Math.max(young.newestMs.get(stream) ?? -Infinity, appendedAtMs));
  }

  function knownSince({ stream, firstAppendedAtMs }: BatchPlace): { ms: number; text: string; losses: number } {
    const ms = Math.max(told.get(stream) ?? firstAppendedAtMs, forgotten.get(stream) ?? -Infinity);
    return { ms, text: isoMicroseconds(ms), losses };
  }

  function batchMemory(batch: number, place: BatchPlace): BatchMemory {
    let since = knownSince(place);
    const waitingFor = new Set<Promise<void>>();
    return {
      meet(event, projectId) {
        const key = eventKey(event, projectId);
        const mark = markOf(key);
        if (mark === batch) return 'twice';
        const other = mark < firstBatch ? undefined : underWay.get(mark);
        if (mark >= firstBatch && other === undefined && !failed.has(mark)) return 'stored';
        remember(key, batch);
        if (other !== undefined) waitingFor.add(other);
        if (mark !== 0) return 'doubtful';
        // The batch may have waited since it began, and others may have filled the memory meanwhile.
        if (since.losses !== losses) since = knownSince(place);
        return event.timestamp < since.text || uuidTimeMs(key) < since.ms ? 'doubtful' : 'new';
      },
      async othersEnded(withoutSlot) {
        if (waitingFor.size > 0) await withoutSlot(() => Promise.all(waitingFor));
      },
      doubt(event, projectId) {
        const key = eventKey(event, projectId);
        const mark = markOf(key);
        // Another batch that met it since is about to store it: who meets it next must wait for that one.
        if (mark === batch || mark === 0) remember(key, passedMark);
      },
    };
  }

  return {
    async during(place, work) {
      const { stream, firstAppendedAtMs, lastAppendedAtMs } = place;
      const batch = (lastBatch += 1);
      const ended = Promise.withResolvers<void>();
      underWay.set(batch, ended.promise);
      if (!told.has(stream)) told.set(stream, firstAppendedAtMs);
      sees(stream, lastAppendedAtMs);
      try {
        return await work(batchMemory(batch, place));
      } catch (error) {
        failed.add(batch, losses);
        throw error;
      } finally {
        underWay.delete(batch);
        ended.resolve();
      }
    },
    forget: (stream) => {
      told.delete(stream);
      forgotten.delete(stream);
    },
    passed: (event, projectId) => remember(eventKey(event, projectId), passedMark),
    passing: sees,
    knowsSince: (stream, sinceMs) => void told.set(stream, sinceMs),
    room: () => young.table.capacity - young.table.size,
  };
}
