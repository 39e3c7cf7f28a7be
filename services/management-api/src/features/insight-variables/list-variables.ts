import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../context.ts';
import { InsightVariable, renderVariable } from './insight-variable.ts';

export const listInsightVariables = projectRoute({
  operationId: 'list_insight_variables',
  method: 'get',
  path: '/api/projects/:project_id/insight_variables',
  access: { scope: 'endpoint:read' },
  tag: 'Variables',
  summary: 'List the variables that the queries of the project share, by code name',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(InsightVariable) },
  async handler({ auth, context, query, request }) {
    const page = readPage(query);
    const where = { projectId: auth.project.id };
    const [count, rows] = await Promise.all([
      context.prisma.insightVariable.count({ where }),
      context.prisma.insightVariable.findMany({
        where,
        include: { createdBy: true },
        orderBy: { codeName: 'asc' },
        take: page.limit,
        skip: page.offset,
      }),
    ]);
    return pageEnvelope(new URL(context.baseUrl(request) + request.originalUrl), page, count, rows.map(renderVariable));
  },
});
