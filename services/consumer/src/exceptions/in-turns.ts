import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work without a turn for others. */
const turnMs = 10;

/** Does the work for each of them; timers and sockets have their turn now and then. */
export async function inTurns<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  let began = performance.now();
  for (const item of items) {
    if (performance.now() - began > turnMs) {
      await setImmediate();
      began = performance.now();
    }
    work(item);
  }
}
