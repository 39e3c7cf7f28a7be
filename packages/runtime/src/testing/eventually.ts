import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Default 10 s. */
  deadlineMs?: number;
  /** Pause between two tries. Default 20 ms. */
  intervalMs?: number;
}

/**
 * Tries until `attempt` does not throw, and resolves with its result: for what becomes true by itself, in place of a pause.
 * @throws {Error} when the deadline passes (also within a try that hangs), with the last failure as its cause and its words.
 */
export async function eventually<T>(attempt: () => Promise<T> | T, options: EventuallyOptions = {}): Promise<T> {
  const { deadlineMs = 10_000, intervalMs = 20 } = options;
  const finished = new AbortController();
  let lastFailure: unknown = new Error('the first try did not end');

  async function tryUntilItHolds(): Promise<T> {
    while (!finished.signal.aborted) {
      try {
        return await attempt();
      } catch (error) {
        lastFailure = error;
        await sleep(intervalMs);
      }
    }
    throw new Error('given up');
  }
  async function giveUpLater(): Promise<never> {
    await sleep(deadlineMs, undefined, { signal: finished.signal });
    const words = lastFailure instanceof Error ? lastFailure.message : String(lastFailure);
    throw new Error(`not true within ${deadlineMs} ms: ${words}`, { cause: lastFailure });
  }

  const trying = tryUntilItHolds();
  const givingUp = giveUpLater();
  try {
    return await Promise.race([trying, givingUp]);
  } finally {
    finished.abort();
    // The loser of the race ends by the abort; its rejection says nothing new.
    await Promise.race([Promise.allSettled([givingUp]), sleep(0)]);
    trying.catch(() => undefined);
  }
}
