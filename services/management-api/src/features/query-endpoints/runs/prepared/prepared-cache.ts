import { createLeastRecentlyUsed } from '../../../../least-recently-used.ts';

/** A cache of what runs prepare out of stored JSON. */
export interface PreparedCache<Prepared> {
  /** Cached under the key; else made by `prepare` of the source, and cached unless it is too large. @throws as `prepare` does */
  of<Source>(key: string, source: Source, prepare: (source: Source) => Prepared): Prepared;
}

const entriesMax = 1_000;

/** `charsMax`: characters of all cached sources together, as JSON. The entry that was used the longest ago goes first. */
export function createPreparedCache<Prepared>(charsMax: number): PreparedCache<Prepared> {
  const entries = createLeastRecentlyUsed<string, { prepared: Prepared; chars: number }>(entriesMax, {
    weightMax: charsMax,
    weightOf: ({ chars }) => chars,
  });
  return {
    of(key, source, prepare) {
      const cached = entries.get(key);
      if (cached !== undefined) return cached.prepared;
      const prepared = prepare(source);
      entries.set(key, { prepared, chars: JSON.stringify(source).length });
      return prepared;
    },
  };
}
