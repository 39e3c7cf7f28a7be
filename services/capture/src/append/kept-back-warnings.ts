import type { Part } from '@millrace/runtime/lifecycle.ts';
import { storeKeptBackWarnings } from './store-events.ts';

/** So long a project waits at most for the count of warnings that were kept back. A kill -9 loses that of this time. */
const everyMs = 60_000;

/** Reports the warnings that the gate keeps back: once a minute, and at the stop, behind the last request. */
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
