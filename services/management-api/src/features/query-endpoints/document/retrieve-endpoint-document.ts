import { Object as ObjectType, Optional, Record, String as StringType, Unknown } from 'typebox';
import { projectRoute } from '../context.ts';
import { endpointExample, endpointParams } from '../endpoint-example.ts';
import { versionNumber } from '../endpoint.ts';
import { endpointDocument } from './endpoint-document.ts';
import { demandedVariables } from '../materialization/demanded-variables.ts';
import { findEndpoint, findVersion } from '../store/find-endpoint.ts';

export const retrieveEndpointDocument = projectRoute({
  operationId: 'retrieve_endpoint_document',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/openapi.json',
  params: endpointParams,
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'Show the OpenAPI 3.0 document of running a query endpoint, for generators of clients',
  query: ObjectType({ version: Optional(versionNumber({ description: 'Default: the newest.' })) }),
  responses: {
    200: Record(StringType(), Unknown(), {
      title: 'EndpointDocument',
      examples: [{ openapi: '3.0.3', info: { title: endpointExample.name, version: '1' }, paths: {} }],
    }),
  },
  find: findEndpoint,
  async handler({ auth, context, found, query, request }) {
    const version = await findVersion(context, found, query.version);
    const { variables } = context.preparedQueries.of(version, auth.project.organizationId);
    const runnable = await context.runnableEndpoints.findVersion(found.endpoint.id, version.version);
    const demanded =
      runnable === null
        ? variables
        : await demandedVariables(context, runnable, variables, auth.project.organizationId);
    return endpointDocument(found, version, demanded, context.baseUrl(request));
  },
});
