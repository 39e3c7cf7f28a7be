import { LRUCache } from 'lru-cache';
import type { ExecutedQuery } from '../execute/execute-query.ts';

/** Rows of a run, kept for others of the same query. */
export type StoredResult = Pick<ExecutedQuery, 'result' | 'hasMore' | 'warnings' | 'atMs'>;

/** For how long a result is kept, and whose it is. */
interface Keeping {
  ttlMs: number;
  organizationId: string;
}

/** Results by key (`cacheKey`), each for its time. A result that is lost is computed again. */
export interface ResultCache {
  get(key: string): Promise<StoredResult | undefined> | StoredResult | undefined;
  set(key: string, stored: StoredResult, keeping: Keeping): void;
}

/** Part of the cache that one result may take. */
const resultShare = 1 / 4;
/** Part beyond which an organization makes room by its own results alone. */
const organizationShare = 1 / 2;

interface Entry {
  stored: StoredResult;
  organizationId: string;
  bytes: number;
}

/** Results of one organization, those that were computed first before others. */
interface Holding {
  keys: Set<string>;
  bytes: number;
}

/**
 * In this process, at most `bytesMax` bytes. Where there is no room, what was not asked for the longest goes first, whosever it is; but an
 * organization that holds half of all already gives up its own oldest results, so that it never pushes out everybody else's. Alone, it has
 * the whole cache. A result that is larger than a quarter of it is not kept.
 */
export function createMemoryResultCache(bytesMax: number): ResultCache {
  const holdings = new Map<string, Holding>();
  const kept = new LRUCache<string, Entry>({
    maxSize: bytesMax,
    maxEntrySize: Math.ceil(bytesMax * resultShare),
    sizeCalculation: ({ bytes }) => bytes,
    dispose: ({ organizationId, bytes }, key) => forget(organizationId, key, bytes),
  });

  function forget(organizationId: string, key: string, bytes: number): void {
    const holding = holdings.get(organizationId);
    if (holding === undefined) return;
    holding.keys.delete(key);
    holding.bytes -= bytes;
    if (holding.keys.size === 0) holdings.delete(organizationId);
  }

  function makeRoom(holding: Holding, bytes: number): void {
    for (const key of holding.keys) {
      const isOverHalf = holding.bytes + bytes > bytesMax * organizationShare;
      if (kept.calculatedSize + bytes <= bytesMax || !isOverHalf) return;
      kept.delete(key);
    }
  }

  return {
    get: (key) => kept.get(key)?.stored,
    set(key, stored, { ttlMs, organizationId }) {
      kept.delete(key);
      const bytes = bytesOf(stored);
      if (bytes > kept.maxEntrySize) return;
      const holding = holdings.get(organizationId) ?? { keys: new Set(), bytes: 0 };
      makeRoom(holding, bytes);
      kept.set(key, { stored, organizationId, bytes }, { ttl: ttlMs });
      holding.keys.add(key);
      holding.bytes += bytes;
      holdings.set(organizationId, holding);
    },
  };
}

/** Bytes of memory: the whole answer of ClickHouse, of which the rows are a part. */
const bytesOf = ({ result: { rows, columns } }: StoredResult): number =>
  rows.buffer.byteLength + columns.length * 200 + 500;
