import type { Change } from '@millrace/postgres/change.ts';

/** Things that changes are about, by name. */
export interface ChangedNames {
  has(name: string): boolean;
}

/** No change is about such a thing: `namesOf` returns this very object then. */
export const none: ChangedNames = { has: () => false };
const all: ChangedNames = { has: () => true };

/** Names that the changes of these topics are about; a change without keys is about all. Pure. */
export function namesOf(changes: readonly Change[], ...topics: readonly Change['topic'][]): ChangedNames {
  const meant = changes.filter(({ topic }) => topics.includes(topic));
  if (meant.length === 0) return none;
  return meant.some(({ keys }) => keys.length === 0) ? all : new Set(meant.flatMap(({ keys }) => keys));
}

/** The projects that were changed themselves. Pure. */
export function projectsOf(changes: readonly Change[]): ReadonlySet<number | null> {
  return new Set(changes.flatMap(({ topic, projectId }) => (topic === 'project' ? [projectId] : [])));
}
