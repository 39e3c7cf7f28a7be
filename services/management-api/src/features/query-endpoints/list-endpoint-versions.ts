import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from './context.ts';
import { endpointParams } from './endpoint-example.ts';
import { Endpoint } from './endpoint.ts';
import { describeEach } from './describe-endpoint.ts';
import { filterOf, filterQuery } from './endpoint-filter.ts';
import { findEndpoint } from './store/find-endpoint.ts';

export const listEndpointVersions = projectRoute({
  operationId: 'list_endpoint_versions',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/versions',
  params: endpointParams,
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'List the versions of a query endpoint, newest first',
  query: ObjectType(filterQuery),
  responses: { 200: pageOf(Endpoint) },
  find: findEndpoint,
  async handler({ auth, context, query, request, found }) {
    const page = readPage(query);
    const { count, versions } = await context.endpoints.listVersions(found.endpoint.id, filterOf(query), page);
    const described = await describeEach(
      { context, auth, request },
      versions.map((version) => ({ stored: found, version })),
    );
    return pageEnvelope(new URL(context.baseUrl(request) + request.originalUrl), page, count, described);
  },
});
