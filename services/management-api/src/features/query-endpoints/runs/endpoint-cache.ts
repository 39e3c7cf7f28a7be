import type { ChangeBatch } from '@millrace/postgres/change.ts';
import { namesOf, none } from '../../../changes/changed-names.ts';
import { createInvalidatedCache, type InvalidatedCacheOptions } from '../../../changes/invalidated-cache.ts';
import type { RunnableEndpoint, RunnableEndpoints, RunnableVersion } from '../store/runnable-endpoint.ts';

/** Endpoints in memory, invalidated by the change feed. */
export interface EndpointCache extends RunnableEndpoints {
  /** Drops the endpoints that the changes are about. */
  invalidate(batch: ChangeBatch): void;
  /** Drops all: this process has changed an endpoint, and the feed has not brought it yet. */
  clear(): void;
}

/** An entry, with the id by which changes name its endpoint. */
type CachedEndpoint = { endpointId: string } & ({ endpoint: RunnableEndpoint } | { version: RunnableVersion });

/**
 * A cache of endpoints in front of the store. Entries are used while the change feed is caught up: an edited, switched off,
 * renamed or deleted endpoint is replaced when its change arrives, within milliseconds. Otherwise each run reads the store. Unknown names
 * and versions are read from the store each time.
 */
export function createEndpointCache(store: RunnableEndpoints, options: InvalidatedCacheOptions): EndpointCache {
  const endpoints = createInvalidatedCache<CachedEndpoint>(options);
  return {
    async find(projectId, name) {
      const cached = await endpoints.find(`${projectId} ${name}`, async () => {
        const endpoint = await store.find(projectId, name);
        return endpoint && { endpointId: endpoint.endpoint.id, endpoint };
      });
      return cached !== null && 'endpoint' in cached ? cached.endpoint : null;
    },
    async findVersion(endpointId, version) {
      const cached = await endpoints.find(`${endpointId} ${version}`, async () => {
        const found = await store.findVersion(endpointId, version);
        return found && { endpointId, version: found };
      });
      return cached !== null && 'version' in cached ? cached.version : null;
    },
    invalidate: (batch) =>
      endpoints.invalidate(batch, (changes) => {
        const changed = namesOf(changes, 'endpoint');
        return changed === none ? undefined : ({ endpointId }) => changed.has(endpointId);
      }),
    clear: () => endpoints.clear(),
  };
}
