import { Object as ObjectType } from 'typebox';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { organizationRoute } from './context.ts';
import { misnamedProjectFields, ProjectDetail, projectFields, renderProjectDetail } from './project-detail.ts';
import { refuseBeyondLimit } from './project-limit.ts';
import { makeProject } from './project-store.ts';
import { timezoneOf } from './time-zone.ts';
import { tagsOf } from '../../tag-list.ts';

export const createProject = organizationRoute({
  operationId: 'create_project',
  method: 'post',
  path: '/api/organizations/:organization_id/projects',
  access: { scope: 'project:write', level: membershipLevels.admin },
  tag: 'Projects',
  summary: 'Make a project, with a token of its own',
  body: ObjectType(projectFields, { title: 'ProjectCreate', ...misnamedProjectFields }),
  responses: { 201: ProjectDetail },
  async handler({ auth: { caller, organization, level }, context, body }) {
    const {
      name,
      timezone = 'UTC',
      access_control: accessControl = false,
      tags = [],
      anonymize_ips: anonymizeIps = false,
    } = body;
    const wanted = {
      organizationId: organization.id,
      name,
      timezone: timezoneOf(timezone),
      accessControl,
      tags: tagsOf(tags),
      anonymizeIps,
    };
    const project = await context.prisma.$transaction(async (transaction) => {
      await refuseBeyondLimit(transaction, organization.id, context.projectsPerOrganizationMax);
      return await makeProject(transaction, caller, wanted, context.clock.nowMs());
    });
    return reply(201, renderProjectDetail(project, level, false));
  },
});
