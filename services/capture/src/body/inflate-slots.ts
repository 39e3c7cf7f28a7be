import { RequestRefused } from '../replies/replies.ts';

/** At most this many bodies are decompressed in the thread pool at a time: each may hold up to the whole budget. */
const slotsMax = 2;
/** A body waits this long for a slot; then its client is told to come back later. */
const waitMsMax = 1_000;

let busy = 0;
/** Waiting bodies by sender, each sender's in order of arrival. The sender whose turn is next comes first. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Runs `work` as soon as one of the few slots is free. Senders take turns, and bodies of one sender come in order of arrival:
 * whoever sends many that take long makes their own wait.
 * @throws {RequestRefused} (as a rejection) 503 when none is free within a second.
 */
export async function withInflateSlot<T>(sender: () => string, work: () => Promise<T>): Promise<T> {
  if (busy >= slotsMax) await freeSlot(sender());
  else busy++;
  try {
    return await work();
  } finally {
    const next = takeNext();
    if (next === undefined) busy--;
    else next();
  }
}

function freeSlot(sender: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      leave(sender, take);
      reject(new RequestRefused('overloaded'));
    }, waitMsMax);
    const own = waiting.get(sender);
    if (own === undefined) waiting.set(sender, [take]);
    else own.push(take);
  });
}

/** The oldest of the sender whose turn it is; the next turn of that sender comes behind those of all others. */
function takeNext(): (() => void) | undefined {
  for (const [sender, own] of waiting) {
    const next = own.shift();
    waiting.delete(sender);
    if (own.length > 0) waiting.set(sender, own);
    return next;
  }
  return undefined;
}

function leave(sender: string, take: () => void): void {
  const own = waiting.get(sender) ?? [];
  own.splice(own.indexOf(take), 1);
  if (own.length === 0) waiting.delete(sender);
}
