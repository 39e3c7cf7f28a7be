import type { News } from '@millrace/postgres/change.ts';
import type { LimitRows } from '../limits/load-project-limits.ts';
import type { ProjectSource } from '../projects/project-source.ts';
import type { ProjectLookUp } from '../projects/project-tokens.ts';

export interface ProjectsOfTest extends ProjectSource {
  /** Sets what operators have decided, and tells the service that something has changed. */
  limit(rows: Partial<LimitRows>): void;
  /** As if the bus had told it. */
  tell(news: News): void;
}

/** Projects in memory, in the place of Postgres. */
export function projectsOfTest(lookUp: ProjectLookUp): ProjectsOfTest {
  let rows: LimitRows = { restrictions: [], quotas: [], tokens: [], projects: 1 };
  let tell: (news: News) => void = () => undefined;
  return {
    lookUp,
    loadLimits: () => Promise.resolve(rows),
    addUsage: (used) => Promise.resolve(used),
    listen(onNews) {
      tell = onNews;
      return { start: () => Promise.resolve(), stop: () => Promise.resolve(), connected: () => true, heardUntilMs: () => performance.now() };
    },
    close: () => Promise.resolve(),
    limit(changes) {
      rows = { ...rows, ...changes };
      tell([{ topic: 'restriction', projectId: 7, keys: [] }]);
    },
    tell: (news) => tell(news),
  };
}
