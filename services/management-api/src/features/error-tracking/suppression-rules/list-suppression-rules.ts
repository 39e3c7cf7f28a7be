import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../../context.ts';
import { renderRule, SuppressionRule } from './suppression-rule.ts';

export const listSuppressionRules = projectRoute({
  operationId: 'list_suppression_rules',
  method: 'get',
  path: '/api/projects/:project_id/error_tracking/suppression_rules',
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'List the suppression rules of a project, in the order in which they apply',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(SuppressionRule) },
  async handler({ auth, context: { prisma, baseUrl }, query, request }) {
    const page = readPage(query);
    const where = { projectId: auth.project.id };
    const [count, rows] = await Promise.all([
      prisma.suppressionRule.count({ where }),
      prisma.suppressionRule.findMany({
        where,
        orderBy: [{ orderKey: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
        take: page.limit,
        skip: page.offset,
      }),
    ]);
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, count, rows.map(renderRule));
  },
});
