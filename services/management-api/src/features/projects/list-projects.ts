import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import { organizationRoute } from './context.ts';
import { Project, renderProject } from './project.ts';
import { ProjectQuery, readProjectQuery } from './project-filter.ts';
import { readProjects } from './read-projects.ts';

export const listProjects = organizationRoute({
  operationId: 'list_projects',
  method: 'get',
  path: '/api/organizations/:organization_id/projects',
  access: { scope: 'project:read' },
  tag: 'Projects',
  summary: 'List the projects of an organization that you may see, by id',
  query: ProjectQuery,
  responses: { 200: pageOf(Project) },
  async handler({ auth: { organization, caller, level }, context, query, request, signal }) {
    const page = readPage(query);
    const where = readProjectQuery(query, { organizationId: organization.id, userId: caller.userId, level });
    const { count, projects } = await readProjects(context.prisma, where, page);
    const withEvent = await context.ingestedEvents.among(projects, signal);
    const results = projects.map((project) => renderProject(project, withEvent.has(project.id)));
    return pageEnvelope(new URL(context.baseUrl(request) + request.originalUrl), page, count, results);
  },
});
