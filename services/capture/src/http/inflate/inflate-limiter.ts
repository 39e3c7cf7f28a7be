import { RequestError } from '../request-error.ts';

/** A body waits this long for a slot; then the reply is 503. */
const waitMsMax = 1_000;

/**
 * Runs `work` as soon as one of a few slots is free. Senders take turns, and bodies of one sender run in order of arrival:
 * a sender with many slow bodies delays only its own.
 * @throws {RequestError} (as a rejection) 503 when none is free within a second.
 */
export type ConcurrencyLimiter = <T>(sender: () => string, work: () => Promise<T>) => Promise<T>;

/** Bodies that wait, by sender, each sender's in order of arrival. The sender whose turn is next comes first. */
type Waiting = Map<string, (() => void)[]>;

/** At most two bodies are decompressed in the thread pool at a time: each may hold up to the whole budget. */
export const limitInflating = createLimiter(2);

/** At most one long text of lz-string is read at a time: that is work of the event loop, and each holds megabytes meanwhile. */
export const limitLz = createLimiter(1);

function createLimiter(slotsMax: number): ConcurrencyLimiter {
  let busy = 0;
  const waiting: Waiting = new Map();

  return async (sender, work) => {
    if (busy >= slotsMax) await freeSlot(waiting, sender());
    else busy++;
    try {
      return await work();
    } finally {
      const next = takeNext(waiting);
      if (next === undefined) busy--;
      else next();
    }
  };
}

function freeSlot(waiting: Waiting, sender: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      leave(waiting, sender, take);
      reject(new RequestError('overloaded'));
    }, waitMsMax);
    const own = waiting.get(sender);
    if (own === undefined) waiting.set(sender, [take]);
    else own.push(take);
  });
}

/** The oldest body of the sender whose turn it is. The sender's next turn comes after those of all others. */
function takeNext(waiting: Waiting): (() => void) | undefined {
  for (const [sender, own] of waiting) {
    const next = own.shift();
    waiting.delete(sender);
    if (own.length > 0) waiting.set(sender, own);
    return next;
  }
  return undefined;
}

function leave(waiting: Waiting, sender: string, take: () => void): void {
  const own = waiting.get(sender) ?? [];
  own.splice(own.indexOf(take), 1);
  if (own.length === 0) waiting.delete(sender);
}
