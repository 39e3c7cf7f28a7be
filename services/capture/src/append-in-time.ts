import type { BundleEntry } from '@millrace/contracts/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import { OutcomeUnknownError } from '@millrace/event-log/event-log.ts';

/** Where events go: a bundler in front of the event log. */
export interface EventSink {
  readonly partitions: number;
  /** Resolves when the entries are on disk; the errors are those of `EventLog.append`. */
  append(lane: Lane, partition: number, entries: readonly BundleEntry[]): Promise<void>;
}

export interface TimedAppends {
  /**
   * Appends to several partitions of a lane; answers when all are on disk.
   * @throws {LogUnavailableError} when nothing of the first failing partition was written.
   * @throws {OutcomeUnknownError} also when it took too long: the log may still write them (architecture 5).
   */
  append(lane: Lane, byPartition: ReadonlyMap<number, readonly BundleEntry[]>): Promise<void>;
  stop(): void;
}

interface Waiting {
  sinceMs: number;
  fail: (error: Error) => void;
}

/** Gives appends a deadline. One timer for all, as with the reading of bodies. */
export function createTimedAppends(sink: EventSink, timeoutMs: number): TimedAppends {
  const waiting = new Set<Waiting>();
  const watch = setInterval(
    () => {
      const latestMs = performance.now() - timeoutMs;
      for (const wait of waiting) if (wait.sinceMs < latestMs) wait.fail(new OutcomeUnknownError('the event log did not answer in time'));
    },
    Math.max(10, Math.floor(timeoutMs / 10)),
  );
  watch.unref();

  return {
    append: (lane, byPartition) =>
      new Promise((resolve, reject) => {
        let left = byPartition.size;
        if (left === 0) return resolve();
        const fail = (error: Error): void => {
          waiting.delete(wait);
          reject(error);
        };
        const done = (): void => {
          if (--left > 0) return;
          waiting.delete(wait);
          resolve();
        };
        const wait: Waiting = { sinceMs: performance.now(), fail };
        waiting.add(wait);
        for (const [partition, entries] of byPartition) sink.append(lane, partition, entries).then(done, fail);
      }),
    stop: () => clearInterval(watch),
  };
}
