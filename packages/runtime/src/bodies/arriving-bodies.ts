import {
  Arrival,
  Arrivals,
  lateness,
  updatePace,
  type ArrivingLimits,
  type BodyReading,
  type Ending,
} from './arrival.ts';
import { shortageOf, slowestFirst, type Candidate, type Shortage } from './slowest-first.ts';

/** The number of bytes of bodies in memory. Readers of bodies count in it, and later holders of a body count in the same. */
export interface BytesInFlight {
  bytesInFlight: number;
}

export interface ArrivingBodies {
  begin(reading: BodyReading): Arrival;
  /** A piece has come; `kept`: it stays in memory. When that makes memory short, bodies are ended, maybe this one. */
  take(arrival: Arrival, bytes: number, kept: boolean): void;
  /** The kept bytes of the body have left memory, though more of it may come. */
  drop(arrival: Arrival): void;
  /** Call it when the body is complete, or the rest of it is not needed. */
  done(arrival: Arrival): void;
  /** Ends the slowest until what is in memory is within the limit. False when even that did not help. */
  freeMemory(): boolean;
  /** Number of arriving bodies, and their bytes in memory. */
  counts(): { bodies: number; bytes: number };
  /** Bodies that were ended, by reason, since the start. */
  readonly ended: Readonly<Record<Ending, number>>;
}

/**
 * When memory is short, slow bodies are ended until this part of it is free, so that not every piece that comes has to
 * search for some.
 */
const freedPart = 16;

/**
 * Watches all bodies that are arriving with one timer, while there are some: a timer for each would cost more than the rest of the reading.
 * Bodies that stall end, and when memory is short the slowest end, so that the newest need not. A sender counts for more
 * than others only by slow bodies, and only then: many people who share one address, or a server that sends thousands of
 * requests a second, are treated like everybody else.
 */
export function createArrivingBodies(
  limits: ArrivingLimits,
  held: BytesInFlight,
  onShortage: (shortage: Shortage) => void = () => undefined,
): ArrivingBodies {
  const { bytesInFlightMax } = limits;
  const all = new Arrivals();
  const ended = { idle: 0, total: 0, slow: 0, share: 0, memory: 0 };
  const everyMs = Math.min(1000, Math.max(10, Math.floor(Math.min(limits.idleMsMax, limits.rateMs) / 4)));
  let watch: NodeJS.Timeout | undefined;
  let checkedMs = 0;

  function begin(reading: BodyReading): Arrival {
    if (watch === undefined) {
      checkedMs = performance.now();
      watch = setInterval(checkAll, everyMs).unref();
    }
    return all.add(new Arrival(reading));
  }

  function checkAll(): void {
    if (all.list.length === 0) {
      clearInterval(watch);
      watch = undefined;
      return;
    }
    const nowMs = performance.now();
    const pauseMs = nowMs - checkedMs - everyMs;
    checkedMs = nowMs;
    const late: [Arrival, Ending][] = [];
    for (const arrival of all.list) {
      if (pauseMs > everyMs) arrival.postpone(pauseMs, nowMs);
      updatePace(arrival, nowMs);
      const ending = lateness(arrival, limits, nowMs);
      if (ending !== null) late.push([arrival, ending]);
    }
    for (const [arrival, ending] of late) end(arrival, ending);
  }

  function end(arrival: Arrival, ending: Ending): void {
    if (arrival.index < 0) return;
    ended[ending]++;
    done(arrival);
    arrival.reading.end(ending);
  }

  function drop(arrival: Arrival): void {
    held.bytesInFlight -= arrival.kept;
    arrival.kept = 0;
  }

  function done(arrival: Arrival): void {
    if (arrival.index < 0) return;
    all.remove(arrival);
    drop(arrival);
  }

  function freeMemory(): boolean {
    if (held.bytesInFlight <= bytesInFlightMax) return true;
    const victims: Candidate[] = [];
    for (const candidate of slowestFirst(all.list, limits.senderBytesMax)) {
      const fits = held.bytesInFlight <= bytesInFlightMax;
      if (fits && (!candidate.isSlow || held.bytesInFlight <= bytesInFlightMax * (1 - 1 / freedPart))) break;
      victims.push(candidate);
      end(candidate.arrival, candidate.isOverShare ? 'share' : 'memory');
    }
    if (victims.length > 0) onShortage(shortageOf(victims));
    return held.bytesInFlight <= bytesInFlightMax;
  }

  return {
    begin,
    take(arrival, bytes, kept) {
      arrival.lastMs = performance.now();
      if (arrival.bytes === 0) arrival.begun(arrival.lastMs);
      arrival.bytes += bytes;
      if (!kept) return;
      arrival.kept += bytes;
      held.bytesInFlight += bytes;
      if (held.bytesInFlight > bytesInFlightMax) freeMemory();
    },
    drop,
    done,
    freeMemory,
    counts: () => ({ bodies: all.list.length, bytes: all.list.reduce((sum, { kept }) => sum + kept, 0) }),
    ended,
  };
}
