import { reply } from '@millrace/http/replies/reply.ts';
import { publicRoute } from './context.ts';
import { endpointParams } from './endpoint-example.ts';

/**
 * Target of `ui_url`: there are no pages of single endpoints, so a browser is shown how they are run. Reads no
 * database.
 */
export const showEndpoint = publicRoute({
  operationId: 'show_endpoint',
  method: 'get',
  path: '/project/:project_id/endpoints/:name',
  params: endpointParams,
  access: 'public',
  tag: 'Query endpoints',
  summary: 'Lead a browser to how a query endpoint is run',
  responses: { 302: null },
  handler: () => reply(302, undefined, { location: '/docs#/Query%20endpoints/run_endpoint' }),
});
