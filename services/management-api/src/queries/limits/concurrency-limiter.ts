import { createCounts } from './counts.ts';
import { ownersOf, sharesOf, type ConcurrencyLimits, type Counted, type QueryOwner, type Share } from './shares.ts';
import { createTurnQueue, type Waiter } from './turn-queue.ts';

/** Work that holds a slot: until it has ended, and until all has that it says `keep` of. */
export type SlotWork<Result> = (keep: (until: Promise<unknown>) => void) => Promise<Result>;

/** The wait of work whose result others may want too. It is not to wait for its own key's share while those of other keys do. */
export interface OwnWait {
  /** Whether somebody of another key wants the result. */
  isShared: () => boolean;
  /** Ends the wait by its refusal; there while the work waits for its own key's share. */
  giveUp?: (() => void) | undefined;
}

/** How work waits for its slot. */
interface Waiting {
  /** Ends the wait; undefined: nothing does. */
  signal?: AbortSignal | undefined;
  wait?: OwnWait | undefined;
}

export interface ConcurrencyLimiter {
  /**
   * Runs the work while it holds one slot. When a limit is full the work waits for its turn, for a bounded time.
   * @throws {AppError} throttled or query_capacity when none came free in time, or too many wait; the signal's reason when it aborts meanwhile
   */
  run<Result>(owner: QueryOwner, work: SlotWork<Result>, waiting?: Waiting): Promise<Result>;
  /** Whether somebody, within the last seconds, found no slot that this owner's query would have left them. Each case is reported to one caller. */
  isWanted(owner: QueryOwner): Promise<boolean>;
  /** How many wait for their turn. */
  waiting(): number;
}

/** A slot that other processes count too, or the share that is full with theirs. */
export type SharedSlot = { free: () => void } | { full: Share; running: number };

export interface LimiterOptions {
  counted: Counted;
  /** Milliseconds that work waits when a limit is full; 0: not at all. */
  waitMsMax: number;
  /** Asked for each slot that this process has free, and must not fail. `isFirst`: the work was not refused there before. */
  takeShared?: (shares: readonly Share[], isFirst: boolean) => Promise<SharedSlot>;
  /** Milliseconds after which a share that is full with other processes is asked for again. */
  retryMs?: number;
}

/** So long it counts that somebody found no slot. */
export const wantedMs = 5_000;

const retryMsUsual = 100;

/** Somebody who needs a slot, and may wait for it. */
interface Applicant extends Waiting {
  shares: readonly Share[];
  owners: readonly string[];
  sinceMs: number;
}

/**
 * Bounds the queries of this process that run at a time (contract/decisions 17). When an organization, a project or a key has its own
 * share running, or all have the engine's, the next ones wait for their turn (79): `createTurnQueue` says whose that is. A slot that
 * comes free goes to who waits before it goes to who comes.
 */
export function createConcurrencyLimiter(
  limits: ConcurrencyLimits,
  { counted, waitMsMax, takeShared, retryMs = retryMsUsual }: LimiterOptions,
): ConcurrencyLimiter {
  const running = createCounts<string>();
  const queue = createTurnQueue(running);
  /** Shares that somebody found full, until when that counts. */
  const wanted = new Map<string, number>();
  /** Shares that are full with other processes, and what ends that. */
  const fullElsewhere = new Map<string, NodeJS.Timeout>();

  const isFull = ({ name, max }: Share): boolean => running.of(name) >= max || fullElsewhere.has(name);
  const hasRoom = ({ shares }: { shares: readonly Share[] }): boolean => !shares.some(isFull);
  const refusalOf = (full: Share): Error => full.refusal(Math.max(running.of(full.name), full.max));
  const leftMsOf = ({ sinceMs }: Applicant): number => sinceMs + waitMsMax - performance.now();

  function take(shares: readonly Share[]): void {
    for (const { name } of shares) running.add(name);
  }

  function giveBack(shares: readonly Share[]): void {
    for (const { name } of shares) running.remove(name);
    beginNext();
  }

  function beginNext(): void {
    for (let next = queue.next(hasRoom); next !== undefined; next = queue.next(hasRoom)) {
      take(next.shares);
      next.begin();
    }
  }

  function findRoomAgain(name: string): void {
    clearTimeout(fullElsewhere.get(name));
    fullElsewhere.delete(name);
  }

  function noteFullElsewhere({ name }: Share): void {
    findRoomAgain(name);
    const again = (): void => {
      findRoomAgain(name);
      beginNext();
    };
    fullElsewhere.set(name, setTimeout(again, retryMs).unref());
  }

  function free(shares: readonly Share[]): void {
    for (const { name } of shares) {
      // Whoever comes next finds room: what is kept of full shares is bounded by what runs.
      wanted.delete(name);
      findRoomAgain(name);
    }
    giveBack(shares);
  }

  /** Settles when a slot of each share is taken. */
  function turnOf(applicant: Applicant, full: Share): Promise<void> {
    const { shares, owners, sinceMs, signal, wait } = applicant;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { shares, owners, sinceMs, begin: resolve, displace: (full) => reject(refusalOf(full)) };
    const giveUp = (error: unknown): void => {
      queue.leave(waiter);
      reject(error);
    };
    const leave = (): void => giveUp(signal?.reason);
    const timer = setTimeout(() => giveUp(refusalOf(shares.find(isFull) ?? full)), leftMsOf(applicant));
    signal?.addEventListener('abort', leave, { once: true });
    if (full.isOfKey && wait) wait.giveUp = () => giveUp(refusalOf(full));
    const crowded = queue.enter(waiter);
    if (crowded !== undefined) reject(refusalOf(crowded));
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      if (wait) wait.giveUp = undefined;
    });
  }

  async function takeHere(applicant: Applicant): Promise<void> {
    const full = applicant.shares.find(isFull);
    if (full === undefined) return take(applicant.shares);
    if (running.of(full.name) >= full.max) wanted.set(full.name, performance.now() + wantedMs);
    applicant.signal?.throwIfAborted();
    if (leftMsOf(applicant) <= 0 || (full.isOfKey && applicant.wait?.isShared())) throw refusalOf(full);
    await turnOf(applicant, full);
  }

  /** Takes a slot of each share, here and with other processes; answers what frees it. */
  async function takeSlot(applicant: Applicant): Promise<() => void> {
    const { shares } = applicant;
    for (let isFirst = true; ; isFirst = false) {
      await takeHere(applicant);
      const shared = await takeShared?.(shares, isFirst);
      if (shared === undefined) return () => free(shares);
      if ('free' in shared)
        return () => {
          shared.free();
          free(shares);
        };
      noteFullElsewhere(shared.full);
      giveBack(shares);
      if (leftMsOf(applicant) <= 0) throw shared.full.refusal(shared.running);
    }
  }

  return {
    async run(owner, work, { signal, wait } = {}) {
      const applicant = {
        shares: sharesOf(owner, limits, counted),
        owners: ownersOf(owner),
        sinceMs: performance.now(),
        signal,
        wait,
      };
      return await holding(work, await takeSlot(applicant));
    },
    isWanted(owner) {
      const now = performance.now();
      return Promise.resolve(
        sharesOf(owner, limits, counted).some(({ name }) => {
          const untilMs = wanted.get(name);
          return untilMs !== undefined && wanted.delete(name) && now < untilMs;
        }),
      );
    },
    waiting: () => queue.size(),
  };
}

/** Runs the work; `free` is called once, when nothing holds the slot any more. */
async function holding<Result>(work: SlotWork<Result>, free: () => void): Promise<Result> {
  const kept: Promise<unknown>[] = [];
  try {
    return await work((until) => void kept.push(until));
  } finally {
    if (kept.length === 0) free();
    else void Promise.allSettled(kept).then(free);
  }
}
