import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from './context.ts';
import { filterOf, filterQuery } from './endpoint-filter.ts';
import { Endpoint } from './endpoint.ts';
import { describeEach } from './describe-endpoint.ts';

export const listEndpoints = projectRoute({
  operationId: 'list_endpoints',
  method: 'get',
  path: '/api/projects/:project_id/endpoints',
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'List the query endpoints of a project, newest first',
  query: ObjectType(filterQuery),
  responses: { 200: pageOf(Endpoint) },
  async handler({ auth, context, query, request }) {
    const page = readPage(query);
    const { count, endpoints } = await context.endpoints.list(auth.project.id, filterOf(query), page);
    return pageEnvelope(
      new URL(context.baseUrl(request) + request.originalUrl),
      page,
      count,
      await describeEach(
        { context, auth, request },
        endpoints.map((stored) => ({ stored })),
      ),
    );
  },
});
