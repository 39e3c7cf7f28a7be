import { String as StringType } from 'typebox';
import { reply } from '@millrace/http/replies/reply.ts';
import { projectRoute } from '../../context.ts';
import { clientQueryIdPattern } from '../../queries/execute/client-query-id.ts';

export const cancelQuery = projectRoute({
  operationId: 'cancel_query',
  method: 'delete',
  path: '/api/projects/:project_id/query/:client_query_id',
  // Whoever may run a query may end it; the scope was checked when it began.
  access: 'personal-key',
  tag: 'SQL queries',
  summary: 'Cancel your own queries and endpoint runs of this name',
  description:
    'Ends what runs, in whichever process, under this `client_query_id` for the same user in the same project; the run is answered with 400 `query_cancelled`. Answers 204 whether anything ran or not.',
  params: {
    client_query_id: StringType({
      minLength: 1,
      maxLength: 200,
      pattern: clientQueryIdPattern,
      description: 'As the run was given it in its `client_query_id`.',
      examples: ['panel-1'],
    }),
  },
  responses: { 204: null },
  async handler({ params, auth, context }) {
    await context.runningQueries.cancel({
      projectId: auth.project.id,
      userId: auth.caller.userId,
      clientQueryId: params.client_query_id,
    });
    return reply(204, undefined);
  },
});
