import type { Part } from '@millrace/runtime/lifecycle.ts';
import { storeKeptBackWarnings } from './store-events.ts';

/**
 * Interval of the reports: a project waits at most this long for the count of kept-back warnings. A kill -9 loses the
 * counts of one interval.
 */
const everyMs = 60_000;

/** Reports the warnings that the gate holds back: once a minute, and at the stop, after the last request. */
export function createKeptBackWarnings(deps: Parameters<typeof storeKeptBackWarnings>[0]): Part {
  let timer: NodeJS.Timeout | undefined;
  return {
    name: 'kept-back warnings',
    start: () => {
      timer = setInterval(() => void storeKeptBackWarnings(deps), everyMs).unref();
    },
    stop: async () => {
      clearInterval(timer);
      await storeKeptBackWarnings(deps);
    },
  };
}
