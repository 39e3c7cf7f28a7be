import { delay } from '@millrace/runtime/clock.ts';
import type { Harness } from './harness.ts';

/** Events that keep coming, and how long they take to be stored. */
export interface SteadyEvents {
  sent(): number;
  /** Seconds that some event has waited at most until now, to the next half. */
  longestWaitSeconds(): number;
  /** Sends no more, and answers with all that was sent. */
  finish(): Promise<number>;
}

const chunk = 20;
const everyMs = 100;
const pollMs = 250;

/** 200 events a second of 40 people, each with a change of its person. */
export function startSteadyEvents(harness: Harness): SteadyEvents {
  let total = 0;
  let stopping = false;
  let longestMs = 0;
  const sentUntil: { atMs: number; total: number }[] = [];

  async function send(): Promise<void> {
    while (!stopping) {
      await harness.send(
        Array.from({ length: chunk }, (_, index) => ({
          distinctId: `p${(total + index) % 40}`,
          properties: `{"$set":{"n":${total + index}}}`,
        })),
      );
      total += chunk;
      sentUntil.push({ atMs: performance.now(), total });
      await delay(everyMs);
    }
  }

  async function poll(): Promise<void> {
    for (let from = 0; !stopping; await delay(pollMs)) {
      const { uuids } = await harness.counts();
      while ((sentUntil[from]?.total ?? Infinity) <= uuids) from++;
      const oldest = sentUntil[from];
      if (oldest !== undefined) longestMs = Math.max(longestMs, performance.now() - oldest.atMs);
    }
  }

  const working = Promise.all([send(), poll()]);
  return {
    sent: () => total,
    longestWaitSeconds: () => Math.ceil(longestMs / 500) / 2,
    async finish() {
      stopping = true;
      await working;
      return total;
    },
  };
}
