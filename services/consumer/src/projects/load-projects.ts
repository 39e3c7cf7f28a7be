import type { ProcessedEvent } from '../process-event.ts';
import type { ProjectCache, ProjectLookup } from './project-cache.ts';

/** The projects of these events: those that capture named, and those of tokens that it could not look up. Throws what `pg` throws. */
export function loadProjects(read: readonly ProcessedEvent[], projects: ProjectCache): Promise<ProjectLookup> {
  const ids = new Set<number>();
  const tokens = new Set<string>();
  for (const { draft } of read) {
    if (draft === null) continue;
    if (draft.head.projectId === null) tokens.add(draft.head.token);
    else ids.add(draft.head.projectId);
  }
  return projects.load(ids, tokens);
}
