import type { PersonalApiKey } from '@millrace/postgres/generated/client.ts';
import { reachableProjects } from '../../auth/visible-projects.ts';
import { userRoute, type Context } from '../../context.ts';
import { findKey } from './find-key.ts';
import { KeyParameter, KeyWithRunTokens, renderKey } from './personal-api-key.ts';
import { runTokensOf } from './run-tokens-of.ts';
import type { Caller } from '../../auth/caller.ts';

/** Whoever has a key may know what it is: clients read what they can do with it (contract/clients B10). */
export const retrieveCurrentKey = userRoute({
  operationId: 'retrieve_current_key',
  method: 'get',
  path: '/api/personal_api_keys/@current',
  access: 'personal-key',
  tag: 'Personal API keys',
  summary: 'Retrieve the key that the call is made with',
  responses: { 200: KeyWithRunTokens },
  async handler({ auth: { caller }, context }) {
    return await withRunTokens(context, caller, await findKey(context.prisma, caller, '@current'));
  },
});

export const retrieveKey = userRoute({
  operationId: 'retrieve_key',
  method: 'get',
  path: '/api/personal_api_keys/:key_id',
  access: { scope: 'personal_api_key:read' },
  tag: 'Personal API keys',
  summary: 'Retrieve a key of yours, without its value',
  params: { key_id: KeyParameter },
  responses: { 200: KeyWithRunTokens },
  find: async ({ params, auth: { caller }, context }) => await findKey(context.prisma, caller, params.key_id),
  handler: async ({ found, auth: { caller }, context }) => await withRunTokens(context, caller, found),
});

async function withRunTokens({ prisma }: Context, caller: Caller, key: PersonalApiKey) {
  return { ...renderKey(key), run_tokens: await runTokensOf(prisma, key.id, reachableProjects(caller)) };
}
