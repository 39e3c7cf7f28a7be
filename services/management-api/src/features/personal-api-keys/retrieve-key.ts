import { userRoute } from '../../context.ts';
import { findKey } from './find-key.ts';
import { KeyParameter, PersonalApiKey, renderKey } from './personal-api-key.ts';

/** Whoever has a key may know what it is: clients ask what they can do with it (contract/clients-today B10). */
export const retrieveCurrentKey = userRoute({
  operationId: 'retrieve_current_key',
  method: 'get',
  path: '/api/personal_api_keys/@current',
  access: 'personal-key',
  tag: 'Personal API keys',
  summary: 'Retrieve the key that the call is made with',
  responses: { 200: PersonalApiKey },
  handler: async ({ auth: { caller }, context }) => renderKey(await findKey(context.prisma, caller, '@current')),
});

export const retrieveKey = userRoute({
  operationId: 'retrieve_key',
  method: 'get',
  path: '/api/personal_api_keys/:key_id',
  access: { scope: 'personal_api_key:read' },
  tag: 'Personal API keys',
  summary: 'Retrieve a key of yours, without its value',
  params: { key_id: KeyParameter },
  responses: { 200: PersonalApiKey },
  find: async ({ params, auth: { caller }, context }) => await findKey(context.prisma, caller, params.key_id),
  handler: ({ found }) => renderKey(found),
});
