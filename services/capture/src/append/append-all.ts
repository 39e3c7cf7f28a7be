import type { EntryDraft } from '@millrace/captured-event/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';

/** Target of the entries: a bundler in front of the event log, with a deadline of its own. */
export interface EventSink {
  /** Calls `settle` once: null when the entries are on disk; else an error as `EventLog.append` has them. */
  append(lane: Lane, partition: number, entries: readonly EntryDraft[], settle: (error: Error | null) => void): void;
}

/** Entries for one partition of a lane. */
export interface AppendGroup {
  lane: Lane;
  partition: number;
  entries: EntryDraft[];
}

/**
 * Appends to several partitions; when all entries are on disk, calls `whenStored` and resolves; rejects with the first failure. Then some
 * partitions may have been written all the same: the client sends the same uuids again, which is harmless.
 */
export function appendAll(sink: EventSink, groups: readonly AppendGroup[], whenStored?: () => void): Promise<void> {
  // No function in here sees `groups`: they need not stay in memory until everything is on disk.
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let left = groups.length;
  const stored = (): void => {
    whenStored?.();
    resolve();
  };
  if (left === 0) stored();
  const settle = (error: Error | null): void => {
    if (error !== null) reject(error);
    else if (--left === 0) stored();
  };
  for (const { lane, partition, entries } of groups) sink.append(lane, partition, entries, settle);
  return promise;
}
