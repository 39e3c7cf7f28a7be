import { reply } from '@millrace/http/replies/reply.ts';
import { projectRoute } from './context.ts';
import { Endpoint } from './endpoint.ts';
import { EndpointBody } from './body/endpoint-body.ts';
import { saveEndpoint } from './save-endpoint.ts';
import { describeEndpoint } from './describe-endpoint.ts';

export const createEndpoint = projectRoute({
  operationId: 'create_endpoint',
  method: 'post',
  path: '/api/projects/:project_id/endpoints',
  access: { scope: 'endpoint:write' },
  tag: 'Query endpoints',
  summary: 'Save a query under a name',
  body: EndpointBody,
  responses: { 201: Endpoint },
  async handler({ auth, context, body, request }) {
    const stored = await saveEndpoint(
      context,
      { organizationId: auth.project.organizationId, projectId: auth.project.id, userId: auth.caller.userId },
      body,
    );
    return reply(201, describeEndpoint({ context, auth, request }, stored));
  },
});
