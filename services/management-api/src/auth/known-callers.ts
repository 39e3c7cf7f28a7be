import type { Change, News } from '@millrace/postgres/change.ts';
import { namesOf, none, projectsOf } from '../changed-names.ts';
import { createRemembered, type RememberedOptions } from '../remembered.ts';
import type { Callers, Wanted } from './caller-store.ts';
import type { FoundCaller } from './caller.ts';

export interface KnownCallers extends Callers {
  /** Forgets what the news are about. */
  hear(news: News): void;
  /** Forgets everybody: this process has changed who may do what, and has not heard itself yet. */
  forget(): void;
}

/**
 * Callers in memory, in front of the store; a key counts once for each project and organization that it asks about. While
 * changes are heard, a key that is revoked (a user that is deactivated, a member that left, a project that is deleted) counts
 * until the news arrive, which takes milliseconds; while they are not, everybody is looked up each time. Keys that nobody has,
 * and paths that name nothing, are looked up each time too.
 */
export function createKnownCallers(store: Callers, options: RememberedOptions): KnownCallers {
  const callers = createRemembered<FoundCaller>(options);
  return {
    find: (keyHash, wanted) => callers.find(nameOf(keyHash, wanted), () => store.find(keyHash, wanted), (found) => isThere(found, wanted)),
    hear: (news) => callers.hear(news, staleBy),
    forget: () => callers.forget(),
  };
}

function nameOf(keyHash: string, wanted: Wanted): string {
  return wanted.kind === 'user' ? keyHash : `${keyHash} ${wanted.kind} ${wanted.id}`;
}

function isThere({ project, organization }: FoundCaller, { kind }: Wanted): boolean {
  return kind === 'user' || (kind === 'project' ? project : organization) !== null;
}

/** Which callers the changes are about; undefined: they are about none. Pure. */
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
