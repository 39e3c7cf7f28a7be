import { LRUCache } from 'lru-cache';
import type { ExecutedQuery } from '../execute/execute-query.ts';

/** Rows of a run, cached for other runs of the same query. */
export type StoredResult = Pick<ExecutedQuery, 'result' | 'hasMore' | 'warnings' | 'atMs' | 'range' | 'page'>;

/** The lifetime of a cached result, and the organization that its bytes count for. */
interface StoreOptions {
  ttlMs: number;
  organizationId: string;
}

/** Results by key (`cacheKey`), each until its `ttlMs` is over. The cache may lose a result at any time: it is computed again. */
export interface ResultCache {
  get(key: string): Promise<StoredResult | undefined> | StoredResult | undefined;
  set(key: string, stored: StoredResult, options: StoreOptions): void;
}

/** Largest part of the cache for one result. */
const resultShare = 1 / 4;
/** An organization with more than this part evicts its own results only. */
const organizationShare = 1 / 2;

interface Entry {
  stored: StoredResult;
  organizationId: string;
  bytes: number;
}

/** Results of one organization, oldest first. */
interface Holding {
  keys: Set<string>;
  bytes: number;
}

/**
 * A cache in this process, of at most `bytesMax` bytes. A full cache evicts the least recently used result of any organization.
 * An organization with more than half of the bytes evicts its own oldest results instead, so that it never evicts those of all others.
 * An organization that is alone may fill the whole cache. A result of more than a quarter of the cache is not stored.
 */
export function createMemoryResultCache(bytesMax: number): ResultCache {
  const holdings = new Map<string, Holding>();
  const entries = new LRUCache<string, Entry>({
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
      if (entries.calculatedSize + bytes <= bytesMax || !isOverHalf) return;
      entries.delete(key);
    }
  }

  return {
    get: (key) => entries.get(key)?.stored,
    set(key, stored, { ttlMs, organizationId }) {
      entries.delete(key);
      const bytes = bytesOf(stored);
      if (bytes > entries.maxEntrySize) return;
      const holding = holdings.get(organizationId) ?? { keys: new Set(), bytes: 0 };
      makeRoom(holding, bytes);
      entries.set(key, { stored, organizationId, bytes }, { ttl: ttlMs });
      holding.keys.add(key);
      holding.bytes += bytes;
      holdings.set(organizationId, holding);
    },
  };
}

/** Bytes in memory. The rows are a view of ClickHouse's whole response, so the response counts. */
const bytesOf = ({ result: { rows, columns } }: StoredResult): number =>
  rows.buffer.byteLength + (columns?.length ?? 0) * 200 + 500;
