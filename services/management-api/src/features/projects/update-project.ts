import { Object as ObjectType, Optional, type Static } from 'typebox';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { Prisma } from '@millrace/postgres/generated/client.ts';
import { projectRoute } from './context.ts';
import { findProject } from './find-project.ts';
import {
  misnamedProjectFields,
  moreProjectFields,
  ProjectDetail,
  projectFields,
  renderProjectDetail,
  testAccountFiltersOf,
} from './project-detail.ts';
import { changeProject } from './project-store.ts';
import { timezoneOf } from './time-zone.ts';
import { tagsOf } from '../../tag-list.ts';

const ProjectChange = ObjectType(
  { ...projectFields, ...moreProjectFields, name: Optional(projectFields.name) },
  { title: 'ProjectUpdate', ...misnamedProjectFields },
);

export const updateProject = projectRoute({
  operationId: 'update_project',
  method: 'patch',
  path: '/api/projects/:project_id',
  access: { scope: 'project:write', level: membershipLevels.admin },
  tag: 'Projects',
  summary: 'Rename a project, or change its settings',
  body: ProjectChange,
  responses: { 200: ProjectDetail },
  async handler({ auth: { caller, project, level }, context, body, signal }) {
    const data = dataOf(body);
    const changed = await context.prisma.$transaction(async (transaction) => {
      await findProject(transaction, project.id);
      return await changeProject(transaction, caller, project.id, data);
    });
    const withEvent = await context.ingestedEvents.among([changed], signal);
    return renderProjectDetail(changed, level, withEvent.has(changed.id));
  },
});

function dataOf(body: Static<typeof ProjectChange>): Prisma.ProjectUpdateInput {
  const data = {
    name: body.name,
    timezone: body.timezone === undefined ? undefined : timezoneOf(body.timezone),
    accessControl: body.access_control,
    tags: body.tags === undefined ? undefined : tagsOf(body.tags),
    anonymizeIps: body.anonymize_ips,
    testAccountFilters:
      body.test_account_filters === undefined ? undefined : testAccountFiltersOf(body.test_account_filters),
    allowDangerousMerges: body.allow_dangerous_merges,
    completedSnippetOnboarding: body.completed_snippet_onboarding,
    hasCompletedOnboardingFor:
      body.has_completed_onboarding_for === null ? Prisma.DbNull : body.has_completed_onboarding_for,
  };
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}
