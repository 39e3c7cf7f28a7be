/** Limits of bodies that have begun and not ended. Times in milliseconds, sizes in bytes. */
export interface ArrivingLimits {
  /** Longest wait for the next piece of a body. */
  idleMsMax: number;
  /** Longest time for a whole body. */
  totalMsMax: number;
  /** Least bytes a second, on the average of each `rateMs` from the beginning of the body. */
  bytesPerSecondMin: number;
  rateMs: number;
  /** Most bytes of bodies in memory, of all requests together. */
  bytesInFlightMax: number;
  /** Slow bodies of one sender that hold more than this end before those of others, once memory is short. */
  senderBytesMax: number;
}

/** The limits that bodies of an API have: a phone on a bad link is well within them. */
export function usualLimits(bytesInFlightMax = 67_108_864): ArrivingLimits {
  return {
    idleMsMax: 10_000,
    totalMsMax: 60_000,
    bytesPerSecondMin: 500,
    rateMs: 10_000,
    bytesInFlightMax,
    senderBytesMax: Math.floor(bytesInFlightMax / 8),
  };
}

/**
 * Reasons for ending a body: nothing came for too long, it took too long in all, it came too slowly, its sender held more than
 * their share while memory was short, or it was the slowest then.
 */
export const endings = ['idle', 'total', 'slow', 'share', 'memory'] as const;
export type Ending = (typeof endings)[number];

/** The reader of a body. */
export interface BodyReading {
  /** Called at most once, and the body is done then: the request gets its reply, and the kept bytes are released. */
  end(ending: Ending): void;
  /** The sender, such as a network address. Called only when memory is short. */
  sender(): string;
}

/** A body as far as it has come. */
export class Arrival {
  startedMs = performance.now();
  lastMs = this.startedMs;
  /** Bytes that have come, and those of them that are in memory. */
  bytes = 0;
  kept = 0;
  /** Among those that arrive; -1 when it is done. */
  index = -1;
  /** Bytes and time when the least rate was checked last (time of the first piece before it). */
  pacedBytes = 0;
  pacedMs = this.startedMs;
  /** Bytes at the last check and its time (that of the first piece before it), and bytes a second about then; null before it. */
  seenBytes = 0;
  seenMs = this.startedMs;
  rate: number | null = null;
  readonly reading: BodyReading;

  constructor(reading: BodyReading) {
    this.reading = reading;
  }

  /** Seconds that sending its bytes again would take, at its recent pace. */
  slowness(nowMs: number): number {
    const rate = this.rate ?? (this.bytes * 1000) / Math.max(1, nowMs - this.seenMs);
    return this.kept / Math.max(1, rate);
  }

  /** Its pace counts from now on: a client may think, or wait for its link, between headers and body. */
  begun(nowMs: number): void {
    this.seenMs = nowMs;
    this.pacedMs = nowMs;
  }

  /** We could not read for so long: what came meanwhile is still to be seen, and none of it was the client's pause. */
  postpone(pauseMs: number, nowMs: number): void {
    const later = (ms: number): number => Math.min(ms + pauseMs, nowMs);
    this.startedMs = later(this.startedMs);
    this.lastMs = later(this.lastMs);
    this.pacedMs = later(this.pacedMs);
    this.seenMs = later(this.seenMs);
  }
}

/** A shorter time since the first piece says nothing about a pace: a body of which only the headers had come would count as stalled. */
const paceMsMin = 500;

/** Updates the rate at which the body comes; the last second counts most. Call it each second. */
export function updatePace(arrival: Arrival, nowMs: number): void {
  const elapsedMs = nowMs - arrival.seenMs;
  if (arrival.rate === null && (arrival.bytes === 0 || elapsedMs < paceMsMin)) return;
  const rate = ((arrival.bytes - arrival.seenBytes) * 1000) / Math.max(1, elapsedMs);
  arrival.rate = arrival.rate === null ? rate : (arrival.rate + 3 * rate) / 4;
  arrival.seenBytes = arrival.bytes;
  arrival.seenMs = nowMs;
}

/** Why the body has to end by now, or null. Checks its rate only each `rateMs`, so that a link may pause. */
export function lateness(arrival: Arrival, limits: ArrivingLimits, nowMs: number): Ending | null {
  const { idleMsMax, totalMsMax, rateMs, bytesPerSecondMin } = limits;
  if (nowMs - arrival.lastMs > idleMsMax) return 'idle';
  if (nowMs - arrival.startedMs > totalMsMax) return 'total';
  const pacedMs = nowMs - arrival.pacedMs;
  if (pacedMs < rateMs) return null;
  const bytes = arrival.bytes - arrival.pacedBytes;
  arrival.pacedBytes = arrival.bytes;
  arrival.pacedMs = nowMs;
  if ((bytes * 1000) / pacedMs >= bytesPerSecondMin) return null;
  return bytes === 0 ? 'idle' : 'slow';
}

/**
 * The bodies that are arriving. Not a set: each time that a set has taken in and let go of some elements it moves to a new
 * table, and the old one keeps what it held and points to the new one. Once one of these has grown old, the young
 * collections of V8 keep all that come after it, and every request that any of them held.
 */
export class Arrivals {
  readonly list: Arrival[] = [];

  add(arrival: Arrival): Arrival {
    arrival.index = this.list.push(arrival) - 1;
    return arrival;
  }

  /** The last one takes its place. */
  remove(arrival: Arrival): void {
    const last = this.list.pop();
    if (last !== undefined && last !== arrival) {
      this.list[arrival.index] = last;
      last.index = arrival.index;
    }
    arrival.index = -1;
  }
}
