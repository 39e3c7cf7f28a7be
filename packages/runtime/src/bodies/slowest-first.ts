import type { Arrival } from './arrival.ts';

/**
 * A body is slow from this slowness on, when it takes enough memory for it to matter: a small one on a bad link does
 * not.
 */
const slowSeconds = 2;
const slowWeight = 1_000_000;

/** Bodies that were ended together because memory was short. */
export interface Shortage {
  bodies: number;
  /** Bytes that they held. */
  bytes: number;
  /** Different senders among them. */
  senders: number;
  /** The sender of the largest part of these bytes, and that part. */
  largest: { sender: string; bytes: number };
}

/** A body that may have to end. */
export interface Candidate {
  arrival: Arrival;
  sender: string;
  /** Bytes that it held. */
  kept: number;
  /** These bytes times seconds: those of its slowness when it is slow, else those since its last piece. */
  weight: number;
  isSlow: boolean;
  /** Slow, and one of too many of its sender. */
  isOverShare: boolean;
}

/**
 * All that hold something: first slow ones of senders whose slow ones hold more than `senderBytesMax`, then other slow ones,
 * then those that may yet be fast; of each kind those of most weight first. So what holds much and stalls goes before what
 * holds little on a bad link, or much on a good one.
 */
export function slowestFirst(arrivals: readonly Arrival[], senderBytesMax: number): Candidate[] {
  const nowMs = performance.now();
  const slowBytes = new Map<string, number>();
  const candidates: Candidate[] = [];
  for (const arrival of arrivals) {
    if (arrival.kept === 0) continue;
    const { kept } = arrival;
    const slowness = arrival.slowness(nowMs);
    const isSlow = slowness >= slowSeconds && kept * slowness >= slowWeight;
    const weight = kept * (isSlow ? slowness : (nowMs - arrival.lastMs) / 1000);
    const sender = arrival.reading.sender();
    candidates.push({ arrival, sender, kept, weight, isSlow, isOverShare: false });
    if (isSlow) slowBytes.set(sender, (slowBytes.get(sender) ?? 0) + kept);
  }
  for (const candidate of candidates) {
    candidate.isOverShare = candidate.isSlow && (slowBytes.get(candidate.sender) ?? 0) > senderBytesMax;
  }
  return candidates.sort(
    (a, b) =>
      Number(b.isOverShare) - Number(a.isOverShare) || Number(b.isSlow) - Number(a.isSlow) || b.weight - a.weight,
  );
}

/** Sums up bodies that were ended together; there is at least one. */
export function shortageOf(victims: readonly Candidate[]): Shortage {
  const bySender = new Map<string, number>();
  for (const { sender, kept } of victims) bySender.set(sender, (bySender.get(sender) ?? 0) + kept);
  const [sender, bytes] = [...bySender].reduce((largest, one) => (one[1] > largest[1] ? one : largest));
  const held = victims.reduce((sum, { kept }) => sum + kept, 0);
  return { bodies: victims.length, bytes: held, senders: bySender.size, largest: { sender, bytes } };
}
