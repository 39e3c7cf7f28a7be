import { Object as ObjectType, Optional, Record, String as StringType, Unknown } from 'typebox';
import type { SavedQuery } from '../../../queries/compile/check-query.ts';
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
    const prepared = context.preparedQueries.of(version, auth.project.organizationId);
    const runnable = await context.runnableEndpoints.findVersion(found.endpoint.id, version.version);
    const baseUrl = context.baseUrl(request);
    if (runnable === null || runnable.materialization === null)
      return endpointDocument(found, version, { variables: prepared.variables, ranges: null }, baseUrl);
    const { organizationId } = auth.project;
    const demanded = await demandedVariables(context, runnable, prepared, organizationId);
    const { range_pairs: ranges } = await context.queryCompiler.preview(
      {
        query: version.query as SavedQuery,
        name: found.endpoint.name,
        version: version.version,
        bucketOverrides: version.bucketOverrides as Readonly<{ [column: string]: string }> | null,
      },
      organizationId,
    );
    return endpointDocument(found, version, { variables: demanded, ranges }, baseUrl);
  },
});
