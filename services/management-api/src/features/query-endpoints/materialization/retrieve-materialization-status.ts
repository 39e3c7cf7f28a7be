import { Object as ObjectType, Optional } from 'typebox';
import { projectRoute } from '../context.ts';
import { endpointParams } from '../endpoint-example.ts';
import { MaterializationStatus, notMaterialized, versionNumber } from '../endpoint.ts';
import { findEndpoint, findVersion } from '../store/find-endpoint.ts';

export const retrieveMaterializationStatus = projectRoute({
  operationId: 'retrieve_materialization_status',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/materialization_status',
  params: endpointParams,
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'Show whether a version is materialized',
  query: ObjectType({ version: Optional(versionNumber()) }),
  responses: { 200: MaterializationStatus },
  find: findEndpoint,
  async handler({ context, found, query }) {
    await findVersion(context, found, query.version);
    return notMaterialized(found.endpoint.name);
  },
});
