import { RequestRefused } from '../replies/replies.ts';

/** At most this many bodies are decompressed in the thread pool at a time: each may hold up to the whole budget. */
const slotsMax = 2;
/** A body waits this long for a slot; then its client is told to come back later. */
const waitMsMax = 1_000;

let busy = 0;
const waiting: (() => void)[] = [];

/**
 * Runs `work` as soon as one of the few slots is free, in order of arrival.
 * @throws {RequestRefused} (as a rejection) 503 when none is free within a second: whoever sends many bodies that take long
 * must not keep everybody else's waiting.
 */
export async function withInflateSlot<T>(work: () => Promise<T>): Promise<T> {
  if (busy >= slotsMax) await freeSlot();
  else busy++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) busy--;
    else next();
  }
}

function freeSlot(): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(take), 1);
      reject(new RequestRefused('overloaded'));
    }, waitMsMax);
    waiting.push(take);
  });
}
