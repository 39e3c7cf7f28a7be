import { String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../context.ts';
import { endpointParams } from '../endpoint-example.ts';
import { describeToken } from './endpoint-token.ts';
import { findEndpoint } from '../store/find-endpoint.ts';

export const deleteEndpointToken = projectRoute({
  operationId: 'delete_endpoint_token',
  method: 'delete',
  path: '/api/projects/:project_id/endpoints/:name/tokens/:token_id',
  access: { scope: 'endpoint:write' },
  tag: 'Query endpoints',
  summary: 'Revoke a token; within a second it is worth nothing',
  params: { ...endpointParams, token_id: StringType({ format: 'uuid', description: 'Id of the token.' }) },
  responses: { 204: null },
  find: findEndpoint,
  async handler({ params, auth: { caller, project }, context, found }) {
    await context.prisma.$transaction(async (transaction) => {
      const where = { id: params.token_id, endpointId: found.endpoint.id };
      const token = await transaction.endpointToken.findFirst({ where });
      // One of two revocations at once finds nothing to delete.
      const { count } = token === null ? { count: 0 } : await transaction.endpointToken.deleteMany({ where });
      if (token === null || count === 0) throw notFound('This endpoint has no token with the id', params.token_id);
      const what = {
        organizationId: project.organizationId,
        projectId: project.id,
        itemType: 'endpoint_token',
        itemId: token.id,
      } as const;
      await recordActivity(transaction, caller, {
        ...what,
        activity: 'deleted',
        before: { endpoint: found.endpoint.name, ...describeToken(token) },
      });
    });
    return reply(204, undefined);
  },
});
