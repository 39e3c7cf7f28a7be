import { RequestRefused } from '../replies/replies.ts';

/** At most so many bodies are decompressed aside at a time: each may hold up to the whole budget. */
const placesMax = 2;
/** A body waits this long for a place; then its client had better come back later. */
const waitMsMax = 1_000;

let busy = 0;
const waiting: (() => void)[] = [];

/**
 * Runs `work` as soon as one of the few places is free, in order of arrival.
 * @throws {RequestRefused} (as a rejection) 503 when none is free within a second: whoever sends many bodies that take long
 * must not keep everybody else's waiting.
 */
export async function aside<T>(work: () => Promise<T>): Promise<T> {
  if (busy >= placesMax) await place();
  else busy++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) busy--;
    else next();
  }
}

function place(): Promise<void> {
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
