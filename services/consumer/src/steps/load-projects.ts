import type { EventDraft } from '../events/event-draft.ts';
import type { ProjectCache, ProjectLookup } from '../projects/project-cache.ts';

/** The projects of these events: those that capture named, and those of tokens that it could not look up. Throws what `pg` throws. */
export function loadProjects(drafts: readonly EventDraft[], projects: ProjectCache): Promise<ProjectLookup> {
  const ids = new Set<number>();
  const tokens = new Set<string>();
  for (const { head } of drafts) {
    if (head.projectId === null) tokens.add(head.token);
    else ids.add(head.projectId);
  }
  return projects.load(ids, tokens);
}
