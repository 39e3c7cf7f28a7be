import { LRUCache } from 'lru-cache';
import type { ExecutedQuery } from '../execute/execute-query.ts';

/** Rows of a run, kept for others of the same query. */
export type StoredResult = Pick<ExecutedQuery, 'result' | 'hasMore' | 'warnings' | 'atMs'>;

/** Results by key (`cacheKey`), each for its time. A result that is lost is computed again. */
export interface ResultCache {
  get(key: string): Promise<StoredResult | undefined> | StoredResult | undefined;
  set(key: string, stored: StoredResult, ttlMs: number): void;
}

/** In this process, at most `bytesMax` bytes; what was not asked for the longest goes first. What is larger than a tenth of it is not kept. */
export function createMemoryResultCache(bytesMax: number): ResultCache {
  const kept = new LRUCache<string, StoredResult>({
    maxSize: bytesMax,
    maxEntrySize: Math.ceil(bytesMax / 10),
    sizeCalculation: ({ result: { rows, columns } }) => rows.buffer.byteLength + columns.length * 200 + 500,
  });
  return {
    get: (key) => kept.get(key),
    set: (key, stored, ttl) => void kept.set(key, stored, { ttl }),
  };
}
