import { LRUCache } from 'lru-cache';

/** A map of at most `max` entries; what was not asked for the longest goes first. */
export function createLeastRecentlyUsed<Key extends string | number, Value extends object | number>(max: number) {
  // Not a Map: an entry that is taken out of it and put back each time makes it build its table anew every few times.
  const entries = new LRUCache<Key, Value>({ max });
  return {
    get: (key: Key): Value | undefined => entries.get(key),
    set: (key: Key, value: Value): void => void entries.set(key, value),
    deleteWhere(isMeant: (value: Value) => boolean): void {
      for (const [key, value] of [...entries]) if (isMeant(value)) entries.delete(key);
    },
  };
}
