import { Boolean, Integer, Object as ObjectType, Optional } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../context.ts';
import { Endpoint, renderEndpoint } from './endpoint.ts';

export const listEndpoints = projectRoute({
  operationId: 'list_endpoints',
  method: 'get',
  path: '/api/projects/:project_id/endpoints',
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'List the query endpoints of a project, newest first',
  query: ObjectType({
    ...pageQuery,
    created_by: Optional(Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647, description: 'Only those made by this user.' })),
    is_active: Optional(Boolean({ description: 'Only the active or only the inactive ones.' })),
  }),
  responses: { 200: pageOf(Endpoint) },
  async handler({ auth, context, query, request }) {
    const page = readPage(query);
    const filter = {
      ...(query.created_by === undefined ? {} : { createdBy: query.created_by }),
      ...(query.is_active === undefined ? {} : { isActive: query.is_active }),
    };
    const { count, endpoints } = await context.endpoints.list(auth.project.id, filter, page);
    const baseUrl = context.baseUrl(request);
    return pageEnvelope(new URL(baseUrl + request.originalUrl), page, count, endpoints.map((endpoint) => renderEndpoint(endpoint, baseUrl)));
  },
});
