import type { EventDraft } from '../events/event-draft.ts';
import { drop, ok, type Outcome } from '../events/outcome.ts';
import type { ProjectLookup } from '../projects/project-cache.ts';

/**
 * Finds the project of the event: the one capture named, or, when capture could not look it up, the token's
 * (contract/capture 1.6). An event without a project is dropped and counted as `unknown_project`.
 */
export function resolveProject(draft: EventDraft, projects: ProjectLookup): Outcome {
  const { projectId, token } = draft.head;
  const project = projectId === null ? projects.byToken(token) : projects.byId(projectId);
  if (project === null) return drop('unknown_project');
  draft.project = project;
  return ok;
}
