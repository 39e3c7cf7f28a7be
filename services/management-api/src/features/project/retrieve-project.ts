import { projectRoute } from '../../context.ts';
import { findProject } from './find-project.ts';
import { ProjectDetail, renderProject } from './project.ts';

export const retrieveProject = projectRoute({
  operationId: 'retrieve_project',
  method: 'get',
  path: '/api/projects/:project_id',
  access: { scope: 'project:read' },
  tag: 'Projects',
  summary: 'Retrieve a project',
  responses: { 200: ProjectDetail },
  handler: async ({ auth, context }) => renderProject(await findProject(context.prisma, auth.project.id), auth.level),
});
