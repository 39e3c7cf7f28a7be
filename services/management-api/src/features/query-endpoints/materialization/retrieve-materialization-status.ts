import { Object as ObjectType, Optional } from 'typebox';
import { projectRoute } from '../context.ts';
import { endpointParams } from '../endpoint-example.ts';
import { renderStatus } from '../../../materialization/render-status.ts';
import { MaterializationStatus, versionNumber } from '../endpoint.ts';
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
  async handler({ auth, context, found, query }) {
    const version = await findVersion(context, found, query.version);
    const verdict = await context.materializability.verdictAfterLook(version, auth.project.organizationId);
    return renderStatus(found.endpoint.name, version.materialization, verdict);
  },
});
