import { String as StringType } from 'typebox';
import { reply, type Reply } from '@millrace/http/replies/reply.ts';
import type { ProjectAccess } from '../../auth/granted-access.ts';
import { projectRoute, type Context } from '../../context.ts';
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
  handler: ({ params, auth, context }) => cancel(auth, context, params.client_query_id),
});

/** The same for the name that has a path of its own, because editors read the schema there. */
export const cancelQueryNamedSchema = projectRoute({
  operationId: 'cancel_query_named_schema',
  method: 'delete',
  path: '/api/projects/:project_id/query/schema',
  access: 'personal-key',
  tag: 'SQL queries',
  summary: 'Cancel your own queries and endpoint runs of the name "schema"',
  responses: { 204: null },
  handler: ({ auth, context }) => cancel(auth, context, 'schema'),
});

async function cancel(
  { project, caller }: ProjectAccess,
  { runningQueries }: Context,
  clientQueryId: string,
): Promise<Reply<204, undefined>> {
  await runningQueries.cancel({ projectId: project.id, userId: caller.userId, clientQueryId });
  return reply(204, undefined);
}
