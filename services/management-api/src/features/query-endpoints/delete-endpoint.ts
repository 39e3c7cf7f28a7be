import { reply } from '@millrace/http/replies/reply.ts';
import { projectRoute } from './context.ts';
import { endpointParams } from './endpoint-example.ts';
import { noSuchEndpoint } from './store/find-endpoint.ts';

export const deleteEndpoint = projectRoute({
  operationId: 'delete_endpoint',
  method: 'delete',
  path: '/api/projects/:project_id/endpoints/:name',
  params: endpointParams,
  access: { scope: 'endpoint:write' },
  tag: 'Query endpoints',
  summary: 'Delete a query endpoint; its name is free again',
  responses: { 204: null },
  async handler({ params, auth, context }) {
    if (!(await context.endpoints.softDelete(auth.project.id, params.name)))
      throw await noSuchEndpoint({ params, auth, context });
    return reply(204, undefined);
  },
});
