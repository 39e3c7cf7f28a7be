import type { LogUnavailableError, OutcomeUnknownError } from '@millrace/event-log/event-log.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';

/** Logs why clients get 503: the error that the client does not see, with its cause. */
export interface StoreFailures {
  /** Counts a request whose events could not be stored, or maybe were not. */
  record(error: LogUnavailableError | OutcomeUnknownError): void;
}

/** An outage fails thousands of requests a second: one line of each kind in this time says it. */
const lineEveryMs = 10_000;

/** At most one line of each kind of error in ten seconds; the next says how many requests there were since. `now` is in milliseconds. */
export function createStoreFailures(logger: Logger, now = (): number => performance.now()): StoreFailures {
  const kinds = new Map<string, { reportedMs: number; requests: number }>();
  return {
    record(error) {
      const { reportedMs, requests } = kinds.get(error.name) ?? { reportedMs: -Infinity, requests: 0 };
      const isDue = now() - reportedMs >= lineEveryMs;
      kinds.set(error.name, isDue ? { reportedMs: now(), requests: 0 } : { reportedMs, requests: requests + 1 });
      if (isDue)
        logger.warn(
          { err: error, requests: requests + 1 },
          'events were not stored, or it is unknown whether they were: clients get a 503 and send them again',
        );
    },
  };
}
