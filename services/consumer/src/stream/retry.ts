import { delay } from '@millrace/runtime/clock.ts';

/** The engines whose failures are retried. */
export type EngineName = 'postgres' | 'clickhouse' | 'event-log';

/**
 * Runs work until it succeeds. The attempt is counted from 0. Work that consists of many calls of an engine calls `alive` before
 * each: then a call, not the whole of the work, is what may be slow or stuck.
 */
export type Retry = <T>(engine: EngineName, work: (attempt: number, alive: () => void) => Promise<T>) => Promise<T>;

/** Thrown instead of a further try when the stream is given up: what was done so far will be done again by the next owner. */
export class StreamStoppedError extends Error {
  override name = 'StreamStoppedError';
}

export interface RetryContext {
  signal: AbortSignal;
  /** Called with every failure, and with null when a failing work succeeds again. */
  onHealthChange: (engine: EngineName, error: Error | null) => void;
  /**
   * Called for a call that takes so long that people should know what is awaited; its reply counts like a success after
   * a failure.
   */
  onSlow?: (engine: EngineName) => void;
  /** Called for a call that neither returns nor fails: every engine does one of them long before. */
  onStuck?: (engine: EngineName) => void;
  /** Errors that a further try cannot repair. */
  isFinal: (error: unknown) => boolean;
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;
/** Engines respond within a second or two. Their clients give up much later. */
export const slowMs = 10_000;
/** All deadlines of the engines' clients are shorter, several of them in a row as well. */
const callMsMax = 300_000;

/**
 * Retries failures of an engine: tries again for ever, 100 ms to 5 s apart (infrastructure never costs an event,
 * contract/capture 6.2).
 * @throws {StreamStoppedError} when a try failed and `signal` is aborted.
 */
export function createRetry({ signal, onHealthChange, onSlow, onStuck, isFinal }: RetryContext): Retry {
  return async (engine, work) => {
    let reported = false;
    for (let attempt = 0; ; attempt++) {
      let isSlow = false;
      const slow = setTimeout(() => {
        reported = isSlow = true;
        onSlow?.(engine);
      }, slowMs);
      const stuck = setTimeout(() => onStuck?.(engine), callMsMax);
      const alive = (): void => {
        slow.refresh();
        stuck.refresh();
        // The awaited call has returned.
        if (!isSlow) return;
        reported = isSlow = false;
        onHealthChange(engine, null);
      };
      try {
        const result = await work(attempt, alive);
        if (reported) onHealthChange(engine, null);
        return result;
      } catch (error) {
        clearTimeout(slow);
        if (isFinal(error)) {
          // Not a failure of the engine: what was waited for before is over.
          if (reported) onHealthChange(engine, null);
          throw error;
        }
        reported = true;
        onHealthChange(engine, error instanceof Error ? error : new Error(String(error)));
        const pauseMs =
          Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 2);
        await delay(pauseMs, signal);
        if (signal.aborted) throw new StreamStoppedError('the stream was given up', { cause: error });
      } finally {
        clearTimeout(slow);
        clearTimeout(stuck);
      }
    }
  };
}
