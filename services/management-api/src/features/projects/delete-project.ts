import { String as StringType } from 'typebox';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { projectRoute } from './context.ts';
import { removeProject } from './project-store.ts';

export const deleteProject = projectRoute({
  operationId: 'delete_project',
  method: 'delete',
  path: '/api/projects/:project_id',
  // The example never names the current project: somebody may try it.
  params: { project_id: StringType({ description: 'Number of the project, or `@current`.', examples: ['2'] }) },
  access: { scope: 'project:write', level: membershipLevels.admin },
  tag: 'Projects',
  summary:
    'End a project: its token is refused and its address not found from now on; what is stored of it stays stored',
  responses: { 204: null },
  async handler({ auth: { caller, project }, context }) {
    await context.prisma.$transaction((transaction) =>
      removeProject(transaction, caller, project.id, context.clock.nowMs()),
    );
    return reply(204, undefined);
  },
});
