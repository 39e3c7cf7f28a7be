import type { Change, ChangeBatch } from '@millrace/postgres/change.ts';
import { createLeastRecentlyUsed } from '../least-recently-used.ts';

/** Conditions under which entries are used, and their maximum. */
export interface InvalidatedCacheOptions {
  /** True while the change feed is caught up: only then entries are used. */
  isCaughtUp: () => boolean;
  /** Most entries. */
  max: number;
  /** Most characters of all values together, as JSON: one that alone has more is loaded each time. */
  charsMax: number;
  /** Maximum age of an entry, in case a notification is lost. */
  ageMsMax: number;
}

/** A cache of rows that the change feed invalidates. */
export interface InvalidatedCache<Value> {
  /** The entry of this name, else the value that `load` finds; it is cached unless it is null or not `isWorth` it. */
  find(name: string, load: () => Promise<Value | null>, isWorth?: (value: Value) => boolean): Promise<Value | null>;
  /** Drops the entries that the changes are about, and does not keep values being loaded just now; `staleBy` undefined: the changes are about none. */
  invalidate(
    batch: ChangeBatch,
    staleBy: (changes: readonly Change[]) => ((value: Value) => boolean) | undefined,
  ): void;
  /** Drops all entries: this process has changed something, and the feed has not brought it yet. */
  clear(): void;
}

/** While the change feed is behind, values are read from the store each time. */
export function createInvalidatedCache<Value>({
  isCaughtUp,
  max,
  charsMax,
  ageMsMax,
}: InvalidatedCacheOptions): InvalidatedCache<Value> {
  const entries = createLeastRecentlyUsed<string, { value: Value; untilMs: number }>(max, {
    weightMax: charsMax,
    weightOf: ({ value }) => JSON.stringify(value).length,
  });
  // A value loaded before a change and returned after its notification would stay for ever.
  let invalidations = 0;
  function forget(isStale: (value: Value) => boolean): void {
    invalidations++;
    entries.deleteWhere(({ value }) => isStale(value));
  }
  return {
    async find(name, load, isWorth = () => true) {
      if (!isCaughtUp()) return await load();
      const cached = entries.get(name);
      const nowMs = performance.now();
      if (cached !== undefined && nowMs < cached.untilMs) return cached.value;
      const before = invalidations;
      const value = await load();
      if (value !== null && isWorth(value) && before === invalidations)
        entries.set(name, { value, untilMs: nowMs + ageMsMax });
      return value;
    },
    invalidate(batch, staleBy) {
      const isStale = batch === 'everything' ? () => true : staleBy(batch);
      if (isStale !== undefined) forget(isStale);
    },
    clear: () => forget(() => true),
  };
}
