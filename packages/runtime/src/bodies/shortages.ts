import type { Logger } from '../logs/logger.ts';
import { shownNetwork } from './network.ts';
import type { Shortage } from './slowest-first.ts';

/**
 * Reports to operators that unfinished bodies were ended because memory was short, and whether one sender
 * caused it.
 */
export interface Shortages {
  report(shortage: Shortage): void;
}

/** An attack ends bodies many times a second: one line in this time says it. */
const lineEveryMs = 10_000;

/** At most one line in ten seconds; the next says how many bodies there were since. `now` is in milliseconds. */
export function createShortages(logger: Pick<Logger, 'warn'>, now = (): number => performance.now()): Shortages {
  let reportedMs = -Infinity;
  let unreported = { bodies: 0, bytes: 0 };
  return {
    report({ bodies, bytes, senders, largest }) {
      unreported = { bodies: unreported.bodies + bodies, bytes: unreported.bytes + bytes };
      if (now() - reportedMs < lineEveryMs) return;
      reportedMs = now();
      const share = Math.round((100 * largest.bytes) / Math.max(1, bytes));
      logger.warn(
        { ...unreported, senders, largestSender: shownNetwork(largest.sender), largestSharePercent: share },
        'memory for bodies was short: the slowest unfinished ones were ended',
      );
      unreported = { bodies: 0, bytes: 0 };
    },
  };
}
