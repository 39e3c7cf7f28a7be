import { delay } from './clock.ts';
import type { Logger } from './logs/logger.ts';

interface Repetition {
  /** Pause before each turn, in milliseconds: three to five quarters of it, so that not all processes work at once. */
  everyMs: number;
  /** The same of the first turn, for what is rare: not every process lives as long. Default `everyMs`. */
  firstMs?: number;
  /** Ends the repetition after the turn that runs. */
  signal: AbortSignal;
  logger: Pick<Logger, 'warn'>;
  /** Logged with the error of a failed turn, once for each time that something is away. */
  failed: string;
}

/** Does the work again and again until the signal aborts. Never throws. */
export async function repeat(
  work: () => Promise<unknown>,
  { everyMs, firstMs = everyMs, signal, logger, failed }: Repetition,
): Promise<void> {
  let isFailing = false;
  let pauseMs = firstMs;
  while (!signal.aborted) {
    await delay(pauseMs * (0.75 + Math.random() / 2), signal);
    pauseMs = everyMs;
    if (signal.aborted) return;
    try {
      await work();
      isFailing = false;
    } catch (err) {
      if (!isFailing) logger.warn({ err }, failed);
      isFailing = true;
    }
  }
}
