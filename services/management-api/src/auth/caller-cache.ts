import type { Change, ChangeBatch } from '@millrace/postgres/change.ts';
import { namesOf, none, projectsOf } from '../changes/changed-names.ts';
import { createInvalidatedCache, type InvalidatedCacheOptions } from '../changes/invalidated-cache.ts';
import type { Callers, Wanted } from './caller-store.ts';
import type { FoundCaller } from './caller.ts';

export interface CallerCache extends Callers {
  /** Drops the callers that the changes are about. */
  invalidate(batch: ChangeBatch): void;
  /** Drops everybody: this process has changed who may do what, and the feed has not brought it yet. */
  clear(): void;
}

/**
 * Callers in memory, in front of the store; a key has an entry for each project and organization that its requests
 * name. While the change feed is caught up, a revoked key (a deactivated user, a member that left, a deleted project)
 * counts until the change arrives, which takes milliseconds; otherwise each call is looked up. Unknown keys, and paths
 * that name nothing, are looked up each time too.
 */
export function createCallerCache(store: Callers, options: InvalidatedCacheOptions): CallerCache {
  const callers = createInvalidatedCache<FoundCaller>(options);
  return {
    find: (keyHash, wanted) =>
      callers.find(
        nameOf(keyHash, wanted),
        () => store.find(keyHash, wanted),
        (found) => isThere(found, wanted),
      ),
    invalidate: (batch) => callers.invalidate(batch, staleBy),
    clear: () => callers.clear(),
  };
}

function nameOf(keyHash: string, wanted: Wanted): string {
  return wanted.kind === 'user' ? keyHash : `${keyHash} ${wanted.kind} ${wanted.id}`;
}

function isThere({ project, organization }: FoundCaller, { kind }: Wanted): boolean {
  return kind === 'user' || (kind === 'project' ? project : organization) !== null;
}

/** Callers that the changes are about; undefined: they are about none. Pure. */
function staleBy(changes: readonly Change[]): ((found: FoundCaller) => boolean) | undefined {
  const keys = namesOf(changes, 'personal_api_key');
  const users = namesOf(changes, 'user', 'membership');
  const organizations = namesOf(changes, 'organization');
  const projects = projectsOf(changes);
  if (keys === none && users === none && organizations === none && projects.size === 0) return undefined;
  return ({ caller, project, organization }) =>
    keys.has(caller.keyId) ||
    users.has(String(caller.userId)) ||
    (organization !== null && organizations.has(organization.id)) ||
    (project !== null && projects.has(project.id));
}
