import { createLeastRecentlyUsed } from '../../least-recently-used.ts';
import { createCounts, type Counts } from './counts.ts';
import type { Share } from './shares.ts';

/** Work that waits until each of its shares has a free slot. */
export interface Waiter {
  shares: readonly Share[];
  /** Owners from the widest to the narrowest: organization, project, key. */
  owners: readonly string[];
  /** Start of the wait, in milliseconds of `performance.now()`. */
  sinceMs: number;
  /** Called when the work may start. */
  begin: () => void;
  /** Called when the queue removes the work in favour of a smaller owner; `full` is the share whose places are all taken. */
  displace: (full: Share) => void;
}

/** A fair queue of waiting work: the owner that runs the least goes first. */
export interface SlotQueue {
  /** Adds the work, and calls `displace` of the work that it replaces. Returns the share without a place when the work cannot wait. */
  enter(waiter: Waiter): Share | undefined;
  /** Removes the work; does nothing when it does not wait. */
  leave(waiter: Waiter): void;
  /** Removes and returns the next work, among that for which `hasRoom` is true. */
  next(hasCapacity: (waiter: Waiter) => boolean): Waiter | undefined;
  size(): number;
}

/** Waiting places for each slot of a share. They bound the queue, and the waiters of one share take no places of others. */
const placesPerSlot = 4;
/** Owners whose last start is remembered. A forgotten owner goes first once. */
const ownersMax = 10_000;

/**
 * Order: the work goes first whose organization runs less, then whose project runs less, then whose key does. When these are equal, the work
 * goes first whose organization, project or key was last started longer ago. Then the earlier arrival goes first.
 * When all places of a share are taken, the owner with the most waiting work in that share loses its newest place.
 */
export function createSlotQueue(running: Pick<Counts<string>, 'of'>): SlotQueue {
  const waiters = new Set<Waiter>();
  const waiting = createCounts<string>();
  const lastStarts = createLeastRecentlyUsed<string, number>(ownersMax);
  let started = 0;

  const lastStartOf = (owner: string): number => lastStarts.get(owner) ?? 0;

  function goesBefore(one: Waiter, other: Waiter): boolean {
    for (const rankOf of [running.of, lastStartOf]) {
      const difference = firstDifference(one.owners, other.owners, rankOf);
      if (difference !== 0) return difference < 0;
    }
    return one.sinceMs < other.sinceMs;
  }

  function leave(waiter: Waiter): void {
    if (!waiters.delete(waiter)) return;
    for (const name of namesOf(waiter)) waiting.remove(name);
  }

  /** The waiter of a full share that must give its place to the arriving one. */
  function lastOfLargerCrowd(full: Share, arriving: Waiter): Waiter | undefined {
    let found: { waiter: Waiter; crowd: number } | undefined;
    for (const waiter of waiters) {
      if (!waiter.shares.some(({ name }) => name === full.name)) continue;
      const within = waiter.owners.indexOf(full.name) + 1;
      const crowd = waiting.of(waiter.owners[within] ?? '');
      // Compared one level below the full share. The arriving owner must have fewer waiters even with the new one.
      if (crowd <= waiting.of(arriving.owners[within] ?? '') + 1 || crowd < (found?.crowd ?? 0)) continue;
      found = { waiter, crowd };
    }
    return found?.waiter;
  }

  return {
    enter(waiter) {
      const full = waiter.shares.filter(({ name, max }) => waiting.of(name) >= max * placesPerSlot);
      const leaving = full.map((share) => ({ share, last: lastOfLargerCrowd(share, waiter) }));
      const hopeless = leaving.find(({ last }) => last === undefined);
      if (hopeless !== undefined) return hopeless.share;
      for (const { share, last } of leaving) {
        if (last === undefined || !waiters.has(last)) continue;
        leave(last);
        last.displace(share);
      }
      waiters.add(waiter);
      for (const name of namesOf(waiter)) waiting.add(name);
      return undefined;
    },
    leave,
    next(hasRoom) {
      let first: Waiter | undefined;
      for (const waiter of waiters)
        if ((first === undefined || goesBefore(waiter, first)) && hasRoom(waiter)) first = waiter;
      if (first === undefined) return undefined;
      started += 1;
      for (const owner of first.owners) lastStarts.set(owner, started);
      leave(first);
      return first;
    },
    size: () => waiters.size,
  };
}

const namesOf = ({ shares, owners }: Waiter): Set<string> => new Set([...shares.map(({ name }) => name), ...owners]);

function firstDifference(one: readonly string[], other: readonly string[], rankOf: (owner: string) => number): number {
  for (const [index, owner] of one.entries()) {
    const difference = rankOf(owner) - rankOf(other[index] ?? '');
    if (difference !== 0) return difference;
  }
  return 0;
}
