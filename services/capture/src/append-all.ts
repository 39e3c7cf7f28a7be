import type { BundleEntry } from '@millrace/contracts/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';

/** Where entries go: a bundler in front of the event log, with a deadline of its own. */
export interface EventSink {
  /** Resolves when the entries are on disk; its errors are those of `EventLog.append`. */
  append(lane: Lane, partition: number, entries: readonly BundleEntry[]): Promise<void>;
}

/** Entries for one partition of a lane. */
export interface AppendGroup {
  lane: Lane;
  partition: number;
  entries: BundleEntry[];
}

/**
 * Appends to several partitions; resolves when all entries are on disk, rejects with the first failure. Then some
 * partitions may have been written all the same: the client sends the same uuids again, which is harmless.
 */
export function appendAll(sink: EventSink, groups: readonly AppendGroup[]): Promise<void> {
  const [only] = groups;
  if (only !== undefined && groups.length === 1) return sink.append(only.lane, only.partition, only.entries);
  // No function in here sees `groups`: they need not stay in memory until everything is on disk.
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let left = groups.length;
  if (left === 0) resolve();
  const done = (): void => {
    if (--left === 0) resolve();
  };
  for (const { lane, partition, entries } of groups) sink.append(lane, partition, entries).then(done, reject);
  return promise;
}
