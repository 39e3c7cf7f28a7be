import { Array as ArrayType, Boolean, Integer, Object as ObjectType, Record as RecordType, String as StringType, Unsafe, type Static } from 'typebox';
import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import type { Project as StoredProject } from '@millrace/postgres/generated/client.ts';
import { organizationRoute } from '../../context.ts';
import { ProjectQuery, readProjectQuery } from './project-filter.ts';

type Onboarding = Record<string, boolean> | null;

/** A project as the list shows it (spec 2, contract/orgs-errors 2.6). */
const Project = ObjectType(
  {
    id: Integer(),
    uuid: StringType({ format: 'uuid' }),
    organization: StringType({ format: 'uuid' }),
    project_id: Integer({ description: 'The same as `id`.' }),
    api_token: StringType({ description: 'The public token that SDKs send events with.' }),
    name: StringType(),
    completed_snippet_onboarding: Boolean(),
    has_completed_onboarding_for: Unsafe<Onboarding>({ anyOf: [RecordType(StringType(), Boolean()), { type: 'null' }], description: 'Product key to whether it is set up.' }),
    ingested_event: Boolean({ description: 'Whether an event was ever captured.' }),
    is_demo: Boolean(),
    timezone: StringType({ description: 'IANA name.' }),
    access_control: Boolean({ description: 'Private: only administrators, and members who were let in, see it.' }),
    tags: ArrayType(StringType()),
  },
  { title: 'Project' },
);

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
    const [count, projects] = await Promise.all([
      context.prisma.project.count({ where }),
      context.prisma.project.findMany({ where, orderBy: { id: 'asc' }, take: page.limit, skip: page.offset }),
    ]);
    const withEvent = await context.ingestedEvents.among(projects, signal);
    const results = projects.map((project) => renderProject(project, withEvent.has(project.id)));
    return pageEnvelope(new URL(context.baseUrl(request) + request.originalUrl), page, count, results);
  },
});

function renderProject(project: StoredProject, hasEvent: boolean): Static<typeof Project> {
  return {
    id: project.id,
    uuid: project.uuid,
    organization: project.organizationId,
    project_id: project.id,
    api_token: project.apiToken,
    name: project.name,
    completed_snippet_onboarding: project.completedSnippetOnboarding,
    has_completed_onboarding_for: project.hasCompletedOnboardingFor as Onboarding,
    ingested_event: hasEvent,
    is_demo: project.isDemo,
    timezone: project.timezone,
    access_control: project.accessControl,
    tags: project.tags,
  };
}
