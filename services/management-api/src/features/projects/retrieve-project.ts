import { projectRoute } from './context.ts';
import { findProject } from './find-project.ts';
import { ProjectDetail, renderProjectDetail } from './project-detail.ts';

export const retrieveProject = projectRoute({
  operationId: 'retrieve_project',
  method: 'get',
  path: '/api/projects/:project_id',
  access: { scope: 'project:read' },
  tag: 'Projects',
  summary: 'Retrieve a project',
  responses: { 200: ProjectDetail },
  async handler({ auth, context, signal }) {
    const project = await findProject(context.prisma, auth.project.id);
    const withEvent = await context.ingestedEvents.among([project], signal);
    return renderProjectDetail(project, auth.level, withEvent.has(project.id));
  },
});
