import { createLeastRecentlyUsed } from '../../least-recently-used.ts';
import { createCounts, type Counts } from './counts.ts';
import type { Share } from './shares.ts';

/** Work that waits until each limit that it counts against has room. */
export interface Waiter {
  shares: readonly Share[];
  /** Its owners, from the widest to the narrowest: organization, project, key. */
  owners: readonly string[];
  /** When it began to wait, in milliseconds. */
  sinceMs: number;
  /** Its turn has come. */
  begin: () => void;
  /** Another one needs its place more. */
  displace: (full: Share) => void;
}

/** Work that waits for its turn. It takes its turn fairly: who runs the least goes first. */
export interface TurnQueue {
  /** Takes the work in; what it displaces is told so. Returns the share whose places are all taken, when it found none. */
  enter(waiter: Waiter): Share | undefined;
  /** It waits no more: nothing happens when it did not. */
  leave(waiter: Waiter): void;
  /** Takes out the one whose turn is next, of those that have room. */
  next(hasRoom: (waiter: Waiter) => boolean): Waiter | undefined;
  size(): number;
}

/** Places to wait in, for each slot of a share: so the queue is bounded, and a crowd in front of one share leaves others their places. */
const placesPerSlot = 4;
/** Owners whose last turn is remembered. One that is forgotten goes first once. */
const ownersMax = 10_000;

/**
 * When two may go, the one goes first whose organization runs less, then whose project, then whose key; when all run alike, the one
 * whose organization, project or key had its last turn longer ago; then the one that came first. When all places of a share are taken,
 * a crowd makes room for others: the last of the largest crowd in that share leaves.
 */
export function createTurnQueue(running: Pick<Counts<string>, 'of'>): TurnQueue {
  const waiters = new Set<Waiter>();
  const waiting = createCounts<string>();
  const lastTurns = createLeastRecentlyUsed<string, number>(ownersMax);
  let turns = 0;

  const lastTurnOf = (owner: string): number => lastTurns.get(owner) ?? 0;

  function goesBefore(one: Waiter, other: Waiter): boolean {
    for (const rankOf of [running.of, lastTurnOf]) {
      const difference = firstDifference(one.owners, other.owners, rankOf);
      if (difference !== 0) return difference < 0;
    }
    return one.sinceMs < other.sinceMs;
  }

  function leave(waiter: Waiter): void {
    if (!waiters.delete(waiter)) return;
    for (const name of namesOf(waiter)) waiting.remove(name);
  }

  /** The waiter that is to leave the places of a full share, so that this one finds one. */
  function lastOfLargerCrowd(full: Share, arriving: Waiter): Waiter | undefined {
    let found: { waiter: Waiter; crowd: number } | undefined;
    for (const waiter of waiters) {
      if (!waiter.shares.some(({ name }) => name === full.name)) continue;
      const within = waiter.owners.indexOf(full.name) + 1;
      const crowd = waiting.of(waiter.owners[within] ?? '');
      // The two are compared where they part; with one more of its own the arriving one must still be of the smaller crowd.
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
      turns += 1;
      for (const owner of first.owners) lastTurns.set(owner, turns);
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
