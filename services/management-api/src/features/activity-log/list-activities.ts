import { Object as ObjectType } from 'typebox';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import { organizationRoute, projectRoute } from '../../context.ts';
import { Activity, activityQuery } from './activity.ts';
import { findActivities } from './find-activities.ts';

export const listOrganizationActivities = organizationRoute({
  operationId: 'list_organization_activities',
  method: 'get',
  path: '/api/organizations/:organization_id/activity_log',
  access: { scope: 'activity_log:read', level: membershipLevels.admin },
  tag: 'Activity log',
  summary: 'List who changed what of an organization and its projects, newest first',
  query: ObjectType(activityQuery),
  responses: { 200: pageOf(Activity) },
  async handler({ auth, context, query, request }) {
    const page = readPage(query);
    const { count, activities } = await findActivities(
      context.prisma,
      { organizationId: auth.organization.id },
      query,
      page,
    );
    return pageEnvelope(new URL(context.baseUrl(request) + request.originalUrl), page, count, activities);
  },
});

export const listProjectActivities = projectRoute({
  operationId: 'list_project_activities',
  method: 'get',
  path: '/api/projects/:project_id/activity_log',
  access: { scope: 'activity_log:read', level: membershipLevels.admin },
  tag: 'Activity log',
  summary: 'List who changed what of a project, newest first',
  query: ObjectType(activityQuery),
  responses: { 200: pageOf(Activity) },
  async handler({ auth, context, query, request }) {
    const page = readPage(query);
    const { count, activities } = await findActivities(context.prisma, { projectId: auth.project.id }, query, page);
    return pageEnvelope(new URL(context.baseUrl(request) + request.originalUrl), page, count, activities);
  },
});
