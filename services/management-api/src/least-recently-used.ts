import { LRUCache } from 'lru-cache';

/** Weight of an entry, and the most that all may weigh together. An entry that alone weighs more is not cached. */
interface Weights<Value> {
  weightMax: number;
  weightOf: (value: Value) => number;
}

/** A map of at most `max` entries; the entry that was read the longest ago goes first. */
export function createLeastRecentlyUsed<Key extends string | number, Value extends object | number>(
  max: number,
  weights?: Weights<Value>,
) {
  // Not a Map: an entry that is taken out of it and put back each time makes it build its table anew every few times.
  const entries = new LRUCache<Key, Value>({
    max,
    ...(weights && {
      maxSize: weights.weightMax,
      sizeCalculation: (value: Value) => Math.max(1, weights.weightOf(value)),
    }),
  });
  return {
    get: (key: Key): Value | undefined => entries.get(key),
    set: (key: Key, value: Value): void => void entries.set(key, value),
    deleteWhere(isMeant: (value: Value) => boolean): void {
      for (const [key, value] of [...entries]) if (isMeant(value)) entries.delete(key);
    },
  };
}
