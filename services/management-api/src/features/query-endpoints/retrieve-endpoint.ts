import { Object as ObjectType, Optional } from 'typebox';
import { projectRoute } from './context.ts';
import { endpointParams } from './endpoint-example.ts';
import { Endpoint, versionNumber } from './endpoint.ts';
import { describeEndpoint } from './describe-endpoint.ts';
import { findEndpoint, findVersion } from './store/find-endpoint.ts';

export const retrieveEndpoint = projectRoute({
  operationId: 'retrieve_endpoint',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name',
  params: endpointParams,
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'Show a query endpoint, or one of its versions',
  query: ObjectType({
    version: Optional(versionNumber({ description: 'Shows this version instead of the current one.' })),
  }),
  responses: { 200: Endpoint },
  find: findEndpoint,
  async handler({ auth, context, query, request, found }) {
    const version = query.version === undefined ? null : await findVersion(context, found, query.version);
    return describeEndpoint({ context, auth, request }, found, version);
  },
});
