import { createCounts } from './counts.ts';
import { ownersOf, sharesOf, type ConcurrencyLimits, type Counted, type QueryOwner, type Share } from './shares.ts';
import { createSlotQueue, type Waiter } from './slot-queue.ts';

/** Work that holds a slot until it has ended, and until every promise has settled that it passes to `hold`. */
export type SlotWork<Result> = (hold: (until: Promise<unknown>) => void) => Promise<Result>;

/** The wait of shared work. The work does not wait for the limit of its own key while callers of other keys want the result. */
export interface OwnWait {
  /** True while a caller of another key wants the result. */
  isShared: () => boolean;
  /** Ends the wait with the error of a full limit; set while the work waits for the limit of its own key. */
  giveUp?: (() => void) | undefined;
}

interface Waiting {
  /** Ends the wait; undefined: only the time limit ends it. */
  signal?: AbortSignal | undefined;
  wait?: OwnWait | undefined;
}

/** Bounds the work that runs at a time. */
export interface ConcurrencyLimiter {
  /**
   * Runs the work while it holds one slot. When a limit is full, the work waits in a queue for a bounded time.
   * @throws {AppError} throttled or query_capacity when no slot came free in time, or the queue is full
   * @throws the signal's reason when it aborts during the wait
   */
  run<Result>(owner: QueryOwner, work: SlotWork<Result>, waiting?: Waiting): Promise<Result>;
  /** True when a query found no slot within the last `wantedMs` because of this owner's shares. Each case is returned to one caller. */
  isWanted(owner: QueryOwner): Promise<boolean>;
  /** Work in the queue. */
  waiting(): number;
}

/** A slot that all processes count, or the share that they have filled. */
export type SharedSlot = { free: () => void } | { full: Share; running: number };

/** Options of a limiter. */
export interface LimiterOptions {
  counted: Counted;
  /** Longest wait for a full limit, in milliseconds; 0: no wait. */
  waitMsMax: number;
  /** Takes a slot that all processes count, after this process took its own. Must not throw. `isFirst`: the first attempt of this work. */
  takeShared?: (shares: readonly Share[], isFirst: boolean) => Promise<SharedSlot>;
  /** Milliseconds until `takeShared` is tried again for a full share. */
  retryMs?: number;
}

/** Milliseconds for which `isWanted` remembers a query that found no slot. */
export const wantedMs = 5_000;

const retryMsUsual = 100;

/** A query that needs a slot. */
interface Applicant extends Waiting {
  shares: readonly Share[];
  owners: readonly string[];
  sinceMs: number;
}

/**
 * Bounds the queries of this process that run at a time (contract/decisions 17): of one key, one project, one organization and all together.
 * A query that finds a limit full waits (79), in the order of `createSlotQueue`. A free slot goes to a waiting query before a new one.
 */
export function createConcurrencyLimiter(
  limits: ConcurrencyLimits,
  { counted, waitMsMax, takeShared, retryMs = retryMsUsual }: LimiterOptions,
): ConcurrencyLimiter {
  const running = createCounts<string>();
  const queue = createSlotQueue(running);
  /** End of the `wantedMs` of each share that a query found full. */
  const wanted = new Map<string, number>();
  /** Shares that all processes together have filled, each with the timer of the next attempt. */
  const fullElsewhere = new Map<string, NodeJS.Timeout>();

  const isFull = ({ name, max }: Share): boolean => running.of(name) >= max || fullElsewhere.has(name);
  const hasCapacity = ({ shares }: { shares: readonly Share[] }): boolean => !shares.some(isFull);
  const errorOf = (full: Share): Error => full.errorOf(Math.max(running.of(full.name), full.max));
  const leftMsOf = ({ sinceMs }: Applicant): number => sinceMs + waitMsMax - performance.now();

  function take(shares: readonly Share[]): void {
    for (const { name } of shares) running.add(name);
  }

  function giveBack(shares: readonly Share[]): void {
    for (const { name } of shares) running.remove(name);
    beginNext();
  }

  function beginNext(): void {
    for (let next = queue.next(hasCapacity); next !== undefined; next = queue.next(hasCapacity)) {
      take(next.shares);
      next.begin();
    }
  }

  function clearFullElsewhere(name: string): void {
    clearTimeout(fullElsewhere.get(name));
    fullElsewhere.delete(name);
  }

  function noteFullElsewhere({ name }: Share): void {
    clearFullElsewhere(name);
    const again = (): void => {
      clearFullElsewhere(name);
      beginNext();
    };
    fullElsewhere.set(name, setTimeout(again, retryMs).unref());
  }

  function free(shares: readonly Share[]): void {
    for (const { name } of shares) {
      // The next query finds a slot. Deleting here also bounds `wanted` by the running queries.
      wanted.delete(name);
      clearFullElsewhere(name);
    }
    giveBack(shares);
  }

  /** Settles when a slot of each share is taken. */
  function waitForSlot(applicant: Applicant, full: Share): Promise<void> {
    const { shares, owners, sinceMs, signal, wait } = applicant;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { shares, owners, sinceMs, begin: resolve, displace: (full) => reject(errorOf(full)) };
    const giveUp = (error: unknown): void => {
      queue.leave(waiter);
      reject(error);
    };
    const leave = (): void => giveUp(signal?.reason);
    const timer = setTimeout(() => giveUp(errorOf(shares.find(isFull) ?? full)), leftMsOf(applicant));
    signal?.addEventListener('abort', leave, { once: true });
    if (full.isOfKey && wait) wait.giveUp = () => giveUp(errorOf(full));
    const crowded = queue.enter(waiter);
    if (crowded !== undefined) reject(errorOf(crowded));
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
    if (leftMsOf(applicant) <= 0 || (full.isOfKey && applicant.wait?.isShared())) throw errorOf(full);
    await waitForSlot(applicant, full);
  }

  /** Takes a slot of each share, here and in the count of all processes. Returns the function that frees it. */
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
      if (leftMsOf(applicant) <= 0) throw shared.full.errorOf(shared.running);
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

/** Runs the work. Calls `free` once, when nothing holds the slot any more. */
async function holding<Result>(work: SlotWork<Result>, free: () => void): Promise<Result> {
  const held: Promise<unknown>[] = [];
  try {
    return await work((until) => void held.push(until));
  } finally {
    if (held.length === 0) free();
    else void Promise.allSettled(held).then(free);
  }
}
