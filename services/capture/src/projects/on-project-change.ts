import type { ChangeBatch } from '@millrace/postgres/change.ts';
import type { ProjectTokens } from './project-tokens.ts';
import type { ProjectLimitsStore } from '../limits/project-limits.ts';

/**
 * Handles a change of projects or their limits: loads again the rows that it is about. Both stores retry failures by
 * themselves.
 */
export function onProjectChange(
  tokens: Pick<ProjectTokens, 'changed' | 'refresh'>,
  limits: Pick<ProjectLimitsStore, 'reload'>,
) {
  return (batch: ChangeBatch): void => {
    if (batch === 'everything') {
      limits.reload();
      return void tokens.refresh();
    }
    const projects = batch.filter(({ topic }) => topic === 'project');
    const ids = new Set(projects.flatMap(({ projectId }) => (projectId === null ? [] : [projectId])));
    if (projects.length > 0) void tokens.changed(ids, new Set(projects.flatMap(({ keys }) => keys)));
    const isAboutLimits = batch.some(({ topic }) => topic === 'quota' || topic === 'restriction');
    // How many projects there are matters too.
    if (isAboutLimits || projects.length > 0) limits.reload();
  };
}
