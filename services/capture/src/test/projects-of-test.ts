import type { ChangeBatch } from '@millrace/postgres/change.ts';
import type { LimitRows } from '../limits/load-project-limits.ts';
import type { ProjectSource } from '../projects/project-source.ts';
import type { ProjectLookup } from '../projects/project-tokens.ts';

export interface ProjectsOfTest extends ProjectSource {
  /** Sets what operators have decided, and notifies the service of the change. */
  limit(rows: Partial<LimitRows>): void;
  /** As the change feed would. */
  notify(batch: ChangeBatch): void;
}

/** Projects in memory, in the place of Postgres. */
export function projectsOfTest(lookUp: ProjectLookup): ProjectsOfTest {
  let rows: LimitRows = { restrictions: [], quotas: [], tokens: [], projects: 1 };
  let notify: (batch: ChangeBatch) => void = () => undefined;
  return {
    lookUp,
    loadLimits: () => Promise.resolve(rows),
    addUsage: (used) => Promise.resolve(used),
    listen(onChange) {
      notify = onChange;
      return {
        start: () => Promise.resolve(),
        stop: () => Promise.resolve(),
        connected: () => true,
        caughtUpAtMs: () => performance.now(),
      };
    },
    close: () => Promise.resolve(),
    limit(changes) {
      rows = { ...rows, ...changes };
      notify([{ topic: 'restriction', projectId: 7, keys: [] }]);
    },
    notify: (batch) => notify(batch),
  };
}
