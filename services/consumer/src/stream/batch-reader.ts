import { bundleCount } from '@millrace/captured-event/event-bundle.ts';
import type { AssignedStream, LogRecord } from '@millrace/event-log/event-log.ts';
import { delay, type Clock } from '@millrace/runtime/clock.ts';
import type { PayloadArena, PayloadPool } from './payload-arena.ts';
import type { Retry } from './retry.ts';

/** Limits at which a batch is large or old enough. */
export interface BatchLimits {
  rowsMax: number;
  bytesMax: number;
  /** A batch waits this long for company after its first record. */
  lingerMs: number;
  /** Batches of one stream are at least this far apart while the stream is busy, so that they grow with the load. */
  intervalMs: number;
}

/** The batch gathered so far. */
export interface Gathered {
  rows: number;
  bytes: number;
  firstAtMs: number;
  lastTakenAtMs: number;
}

/** Milliseconds that a batch still waits for more records; 0 when it is full, or was begun long enough after the last one. */
export function waitForMs(
  { rows, bytes, firstAtMs, lastTakenAtMs }: Gathered,
  limits: BatchLimits,
  nowMs: number,
): number {
  if (rows >= limits.rowsMax || bytes >= limits.bytesMax) return 0;
  return Math.max(0, firstAtMs + limits.lingerMs - nowMs, lastTakenAtMs + limits.intervalMs - nowMs);
}

/** Records and the memory that they lie in. */
interface TakenRecords {
  records: LogRecord[];
  /** Call it when the payloads are not read any more. Without a call the garbage collector frees them. */
  release: () => void;
}

export interface BatchReader {
  /** Returns true when there is a batch to take, false when `signal` has aborted. Throws what stopped the reading. */
  ready(): Promise<boolean>;
  /** All that was gathered, in order. */
  take(): TakenRecords;
  /** True when something was gathered. */
  hasRecords(): boolean;
  /** Time at which the oldest record that is not taken yet was appended, or null. */
  oldestAppendedAtMs(): number | null;
  /** Resolves when no read is under way any more: after `signal` has aborted, or when reading failed. */
  ended: Promise<void>;
}

const readWaitMs = 1_000;

/** One read at most, so that small events do not make a batch of far more rows than requested. */
const readBytesMax = 4_000_000;

/** Reads a stream ahead of its processing, one batch at most. Ends when `signal` aborts. */
export function createBatchReader(
  stream: AssignedStream,
  from: bigint,
  limits: BatchLimits,
  { clock, retry, signal, payloads }: { clock: Clock; retry: Retry; signal: AbortSignal; payloads: PayloadPool },
): BatchReader {
  let records: LogRecord[] = [];
  /** Arenas of the records: more than one when a read was under way while others were taken. */
  let arenas = new Set<PayloadArena>();
  let arena = payloads.open();
  let gathered: Gathered = { rows: 0, bytes: 0, firstAtMs: 0, lastTakenAtMs: -Infinity };
  let failure: unknown = null;
  const wake = createWaker(signal);

  function add(found: readonly LogRecord[], lieIn: PayloadArena): void {
    if (found.length === 0) return;
    if (!arenas.has(lieIn)) lieIn.use();
    arenas.add(lieIn);
    if (records.length === 0) gathered.firstAtMs = clock.nowMs();
    for (const record of found) {
      records.push(record);
      gathered.rows += bundleCount(record.payload);
      gathered.bytes += record.payload.length;
    }
  }

  async function pump(): Promise<void> {
    let next = from;
    while (!signal.aborted) {
      const bytesLeft = limits.bytesMax - gathered.bytes;
      if (bytesLeft <= 0 || gathered.rows >= limits.rowsMax) {
        await wake.next();
        continue;
      }
      const found = await readInto(arena, next, Math.min(bytesLeft, readBytesMax));
      next = (found.at(-1)?.offset ?? next - 1n) + 1n;
      if (found.length > 0) wake.all();
    }
  }

  /** Adds the records that it reads. The arena stays, even when earlier records are taken meanwhile. */
  async function readInto(memory: PayloadArena, next: bigint, maxBytes: number): Promise<LogRecord[]> {
    const { mark } = memory;
    memory.use();
    try {
      const found = await retry('event-log', () => {
        memory.rewind(mark);
        return stream.read(next, { maxBytes, waitMs: readWaitMs, memory });
      });
      add(found, memory);
      return found;
    } finally {
      memory.leave();
    }
  }

  return {
    ended: pump()
      .catch((error: unknown) => void (failure = error ?? new Error('reading failed')))
      .then(() => wake.all()),
    hasRecords: () => records.length > 0,
    oldestAppendedAtMs: () => records[0]?.appendedAtMs ?? null,
    async ready() {
      while (!signal.aborted) {
        if (failure !== null)
          throw failure instanceof Error ? failure : new Error('reading the log failed', { cause: failure });
        const waitMs = records.length === 0 ? Infinity : waitForMs(gathered, limits, clock.nowMs());
        if (waitMs === 0) return true;
        await Promise.race([wake.next(), ...(waitMs === Infinity ? [] : [delay(waitMs, signal)])]);
      }
      return false;
    },
    take() {
      const taken = records;
      const used = arenas;
      records = [];
      arenas = new Set();
      arena.leave();
      arena = payloads.open();
      gathered = { rows: 0, bytes: 0, firstAtMs: 0, lastTakenAtMs: clock.nowMs() };
      wake.all();
      return { records: taken, release: () => used.forEach((each) => each.leave()) };
    },
  };
}

/** Lets several wait for the same change; the abort of `signal` is a change as well. */
function createWaker(signal: AbortSignal): { next(): Promise<void>; all(): void } {
  let waiting: (() => void)[] = [];
  const all = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  signal.addEventListener('abort', all, { once: true });
  return {
    next: () => new Promise((resolve) => (signal.aborted ? resolve() : void waiting.push(resolve))),
    all,
  };
}
