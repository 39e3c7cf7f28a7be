/** A map of at most `max` entries; what was not asked for the longest goes first. */
export function createLeastRecentlyUsed<Key, Value>(max: number) {
  const entries = new Map<Key, Value>();
  return {
    get(key: Key): Value | undefined {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key: Key, value: Value): void {
      entries.delete(key);
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > max && oldest !== undefined) entries.delete(oldest);
    },
    deleteWhere(isMeant: (value: Value) => boolean): void {
      for (const [key, value] of entries) if (isMeant(value)) entries.delete(key);
    },
  };
}
