import type { News } from '@millrace/postgres/change.ts';
import type { ProjectTokens } from './project-tokens.ts';
import type { ProjectLimitsStore } from '../limits/project-limits.ts';

/**
 * What capture does when it hears that something about projects has changed: looks up again what that is about. Both stores
 * remember failures and try again by themselves.
 */
export function hearChanges(tokens: Pick<ProjectTokens, 'changed' | 'refresh'>, limits: Pick<ProjectLimitsStore, 'reload'>) {
  return (news: News): void => {
    if (news === 'everything') {
      limits.reload();
      return void tokens.refresh();
    }
    const projects = news.filter(({ topic }) => topic === 'project');
    const ids = new Set(projects.flatMap(({ projectId }) => (projectId === null ? [] : [projectId])));
    if (projects.length > 0) void tokens.changed(ids, new Set(projects.flatMap(({ keys }) => keys)));
    const isAboutLimits = news.some(({ topic }) => topic === 'quota' || topic === 'restriction');
    // How many projects there are matters too.
    if (isAboutLimits || projects.length > 0) limits.reload();
  };
}
