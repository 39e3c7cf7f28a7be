import { isoMicroseconds } from '@millrace/runtime/clock.ts';
import type { CapturedEvent } from '@millrace/captured-event/captured-event.ts';
import { eventKey, uuidTimeMs, type Identified } from './event-key.ts';
import { FailedBatches } from './failed-batches.ts';
import type { WithoutSlot } from '../stream/lane-scheduler.ts';
import { UuidTable, type EventKey } from './uuid-table.ts';

/** An event that is about to be stored: seen before in the same batch, stored, possibly stored, or new. */
type Recalled = 'twice' | 'stored' | 'unknown' | 'new';

type Met = Identified & Pick<CapturedEvent, 'timestamp'>;

/** The memory while one batch is under way. */
export interface BatchMemory {
  /** Looks an event up and adds it: this batch is about to store it. */
  meet(event: Met, projectId: number): Recalled;
  /**
   * Resolves when the batches have ended that were about to store an unknown event of this one before it was met here. The
   * wait holds no slot: such a batch may need one to end.
   */
  othersEnded(withoutSlot: WithoutSlot): Promise<void>;
  /** This batch does not store the event after all. Another batch may have stored it, or may yet. */
  markUnknown(event: Identified, projectId: number): void;
}

/** The stream of a batch, and when its first and last records were appended. */
export interface BatchRange {
  stream: string;
  firstAppendedAtMs: number;
  lastAppendedAtMs: number;
}

/** The events that this process stored not long ago, of all its streams, and those that the log holds before them. */
export interface RecentEvents {
  /** Runs the work on a batch. When it resolves, all that the batch met is stored; when it throws, that is unknown. */
  during<T>(range: BatchRange, work: (memory: BatchMemory) => Promise<T>): Promise<T>;
  /** This process reads the stream from now on; other processes may have read it meanwhile. */
  forget(stream: string): void;
  /** Adds an event in front of the committed offset of its stream: it may be stored or not. */
  addSeen(event: Identified, projectId: number): void;
  /** Records when a record of the stream was appended, before `addSeen` is called with its events. */
  addRecordTime(stream: string, appendedAtMs: number): void;
  /** Events first sent before `sinceMs` may be missing here; all later ones were added, or will be met. */
  setKnownSince(stream: string, sinceMs: number): void;
  /** Number of events that can be added before the oldest are forgotten. */
  capacityLeft(): number;
}

/** The event was seen in the log; it may have been stored, or dropped, or be a dead letter. */
const seenMark = 1;
const firstBatch = 2;

/**
 * An event was appended after it was made, but when it was made is only known to within the time that its request took:
 * so much earlier than its timestamp says it may have come first.
 */
export const slackMs = 5_000;

interface Generation {
  table: UuidTable;
  /** Time at which the newest record of a stream was appended whose events may be here. */
  newestMs: Map<string, number>;
}

/**
 * Two tables of equal, fixed size: when the younger is full, the older is emptied and becomes the younger. So it holds
 * at least 0.67 × 2^slotsLog2 events and at most twice as many, in 2 × 24 × 2^slotsLog2 bytes.
 */
export function createRecentEvents(slotsLog2: number): RecentEvents {
  let young: Generation = { table: new UuidTable(slotsLog2), newestMs: new Map() };
  let old: Generation = { table: new UuidTable(slotsLog2), newestMs: new Map() };
  /** Per stream: the time before which the memory was never filled. */
  const filledSince = new Map<string, number>();
  /** Per stream: the time before which the memory has been evicted. */
  const evictedUntil = new Map<string, number>();
  /** Number of evictions. */
  let losses = 0;
  let lastBatch = firstBatch - 1;
  /** Batches under way, each until it has ended. */
  const underWay = new Map<number, Promise<void>>();
  const failed = new FailedBatches();

  function add(key: EventKey, mark: number): void {
    if (young.table.size >= young.table.capacity) {
      for (const [stream, appendedAtMs] of old.newestMs)
        evictedUntil.set(stream, Math.max(evictedUntil.get(stream) ?? -Infinity, appendedAtMs + slackMs));
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

  function addRecordTime(stream: string, appendedAtMs: number): void {
    young.newestMs.set(stream, Math.max(young.newestMs.get(stream) ?? -Infinity, appendedAtMs));
  }

  function knownSince({ stream, firstAppendedAtMs }: BatchRange): { ms: number; text: string; losses: number } {
    const ms = Math.max(filledSince.get(stream) ?? firstAppendedAtMs, evictedUntil.get(stream) ?? -Infinity);
    return { ms, text: isoMicroseconds(ms), losses };
  }

  function batchMemory(batch: number, range: BatchRange): BatchMemory {
    let since = knownSince(range);
    const waitingFor = new Set<Promise<void>>();
    return {
      meet(event, projectId) {
        const key = eventKey(event, projectId);
        const mark = markOf(key);
        if (mark === batch) return 'twice';
        const other = mark < firstBatch ? undefined : underWay.get(mark);
        if (mark >= firstBatch && other === undefined && !failed.has(mark)) return 'stored';
        add(key, batch);
        if (other !== undefined) waitingFor.add(other);
        if (mark !== 0) return 'unknown';
        // The batch may have waited since it began, and others may have filled the memory meanwhile.
        if (since.losses !== losses) since = knownSince(range);
        return event.timestamp < since.text || uuidTimeMs(key) < since.ms ? 'unknown' : 'new';
      },
      async othersEnded(withoutSlot) {
        if (waitingFor.size > 0) await withoutSlot(() => Promise.all(waitingFor));
      },
      markUnknown(event, projectId) {
        const key = eventKey(event, projectId);
        const mark = markOf(key);
        // Another batch that met it since is about to store it: who meets it next must wait for that one.
        if (mark === batch || mark === 0) add(key, seenMark);
      },
    };
  }

  return {
    async during(range, work) {
      const { stream, firstAppendedAtMs, lastAppendedAtMs } = range;
      const batch = (lastBatch += 1);
      const ended = Promise.withResolvers<void>();
      underWay.set(batch, ended.promise);
      if (!filledSince.has(stream)) filledSince.set(stream, firstAppendedAtMs);
      addRecordTime(stream, lastAppendedAtMs);
      try {
        return await work(batchMemory(batch, range));
      } catch (error) {
        failed.add(batch, losses);
        throw error;
      } finally {
        underWay.delete(batch);
        ended.resolve();
      }
    },
    forget: (stream) => {
      filledSince.delete(stream);
      evictedUntil.delete(stream);
    },
    addSeen: (event, projectId) => add(eventKey(event, projectId), seenMark),
    addRecordTime: addRecordTime,
    setKnownSince: (stream, sinceMs) => void filledSince.set(stream, sinceMs),
    capacityLeft: () => young.table.capacity - young.table.size,
  };
}
