import type { Clock } from '@millrace/runtime/clock.ts';
import { LRUCache } from 'lru-cache';

/** Answers of Postgres, which are believed for a minute unless the change feed says that they are old (contract/decisions 120). */
export interface ReadCache<Key, Value> {
  /** The values of these keys; `load` reads those that are not known and answers each. An answer that was forgotten while it was read is given, and not kept. */
  read(keys: Iterable<Key>, load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>): Promise<Map<Key, Value>>;
  forget(key: Key): void;
  /** Forgets all keys of which this is true; by default all. */
  forgetAll(isMeant?: (key: Key) => boolean): void;
}

const maxAgeMs = 60_000;
/** Bytes of an entry beside its key and its value. */
const entryBytes = 200;

interface Limits<Value> {
  /** Memory of all entries. What was used longest ago leaves first; a value that takes more alone is never kept. */
  bytesMax: number;
  bytesOf: (value: Value) => number;
}

export function createReadCache<Key extends string | number, Value>(
  clock: Clock,
  { bytesMax, bytesOf }: Limits<Value>,
): ReadCache<Key, Value> {
  const entries = new LRUCache<Key, { value: Value; until: number }>({
    maxSize: bytesMax,
    sizeCalculation: ({ value }, key) => entryBytes + String(key).length + bytesOf(value),
  });
  /** Keys that are being read, and may be kept. */
  const reading = new Set<Set<Key>>();

  return {
    async read(keys, load) {
      const now = clock.nowMs();
      const values = new Map<Key, Value>();
      const unknown = new Set<Key>();
      for (const key of keys) {
        const entry = entries.get(key);
        if (entry === undefined || entry.until <= now) unknown.add(key);
        else values.set(key, entry.value);
      }
      if (unknown.size === 0) return values;
      const asked = [...unknown];
      reading.add(unknown);
      try {
        for (const [key, value] of await load(asked)) {
          values.set(key, value);
          if (unknown.has(key)) entries.set(key, { value, until: now + maxAgeMs });
        }
      } finally {
        reading.delete(unknown);
      }
      return values;
    },
    forget(key) {
      entries.delete(key);
      for (const keys of reading) keys.delete(key);
    },
    forgetAll(isMeant = () => true) {
      for (const key of [...entries.keys()]) if (isMeant(key)) entries.delete(key);
      for (const keys of reading) for (const key of keys) if (isMeant(key)) keys.delete(key);
    },
  };
}
