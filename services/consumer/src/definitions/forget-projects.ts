import type { ProjectDefinitions } from './project-definitions.ts';
import type { Unwritten } from './unwritten.ts';

/**
 * Forgets projects while memory holds more than `sizeMax` names, shapes and pairs, those first that were not used since the last time. A
 * project with names that are not written stays: learned anew, a name would be twice in one statement, which Postgres refuses.
 */
export function forgetProjects(projects: Map<number, ProjectDefinitions>, unwritten: Unwritten, sizeMax: number): void {
  const busy = busyProjects(unwritten);
  let size = 0;
  for (const project of projects.values()) size += project.size;
  for (const onlyUnused of [true, false])
    for (const [id, project] of projects) {
      if (size <= sizeMax) break;
      if (busy.has(id) || (onlyUnused && project.isUsed)) continue;
      size -= project.size;
      projects.delete(id);
    }
  for (const project of projects.values()) project.renew();
}

function busyProjects({ events, properties, seenEvents, counted, pairs, shapes }: Unwritten): ReadonlySet<number> {
  const busy = new Set<number>();
  for (const names of [events, properties, seenEvents, counted]) for (const { projectId } of names) busy.add(projectId);
  for (const { event } of [...pairs, ...shapes]) busy.add(event.projectId);
  return busy;
}
