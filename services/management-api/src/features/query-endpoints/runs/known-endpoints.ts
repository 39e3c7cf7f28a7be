import type { News } from '@millrace/postgres/change.ts';
import { namesOf, none } from '../../../changed-names.ts';
import { createRemembered, type RememberedOptions } from '../../../remembered.ts';
import type { RunnableEndpoint, RunnableEndpoints, RunnableVersion } from './runnable-endpoint.ts';

/** Endpoints in memory, which hear what changes. */
export interface KnownEndpoints extends RunnableEndpoints {
  /** Forgets what the news are about. */
  hear(news: News): void;
  /** Forgets all: this process has changed an endpoint, and has not heard itself yet. */
  forget(): void;
}

/** With the endpoint that it is about, by whose id the news name it. */
type Known = { endpointId: string } & ({ endpoint: RunnableEndpoint } | { version: RunnableVersion });

/**
 * Endpoints that are run, in memory, in front of the store. While changes are heard, an endpoint that is edited, switched off,
 * renamed or deleted counts as it was until the news arrive, which takes milliseconds; while they are not, each run looks it
 * up. Names and versions that are not there are looked up each time.
 */
export function createKnownEndpoints(store: RunnableEndpoints, options: RememberedOptions): KnownEndpoints {
  const endpoints = createRemembered<Known>(options);
  return {
    async find(projectId, name) {
      const known = await endpoints.find(`${projectId} ${name}`, async () => {
        const endpoint = await store.find(projectId, name);
        return endpoint && { endpointId: endpoint.endpoint.id, endpoint };
      });
      return known !== null && 'endpoint' in known ? known.endpoint : null;
    },
    async findVersion(endpointId, version) {
      const known = await endpoints.find(`${endpointId} ${version}`, async () => {
        const found = await store.findVersion(endpointId, version);
        return found && { endpointId, version: found };
      });
      return known !== null && 'version' in known ? known.version : null;
    },
    hear: (news) =>
      endpoints.hear(news, (changes) => {
        const changed = namesOf(changes, 'endpoint');
        return changed === none ? undefined : ({ endpointId }) => changed.has(endpointId);
      }),
    forget: () => endpoints.forget(),
  };
}
