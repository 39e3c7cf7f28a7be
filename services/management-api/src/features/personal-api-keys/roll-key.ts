import { rollKey as rollStoredKey } from '../../accounts/key-store.ts';
import { reachableProjects } from '../../auth/visible-projects.ts';
import { userRoute } from '../../context.ts';
import { findKey, lockKeys } from './find-key.ts';
import { requireWithin } from './key-power.ts';
import { runTokensOf } from './run-tokens-of.ts';
import { OtherKeyParameter, KeyWithRunTokens, renderKey } from './personal-api-key.ts';

export const rollKey = userRoute({
  operationId: 'roll_key',
  method: 'post',
  path: '/api/personal_api_keys/:key_id/roll',
  access: { scope: 'personal_api_key:write' },
  tag: 'Personal API keys',
  summary: 'Give a key of yours a new value, shown once; the old one is worth nothing within a second',
  description:
    'The key must open no more than the one that the call is made with, because its value is handed out. Run tokens that were made with the key live on: they are listed.',
  params: { key_id: OtherKeyParameter },
  responses: { 200: KeyWithRunTokens },
  find: async ({ params, auth: { caller }, context }) => await findKey(context.prisma, caller, params.key_id),
  async handler({ params, auth: { caller }, context }) {
    const { value, key } = await context.prisma.$transaction(async (transaction) => {
      const { key: rolled, own } = await lockKeys(transaction, caller, params.key_id);
      requireWithin(own, rolled);
      return await rollStoredKey(transaction, caller, rolled.id, context.clock.nowMs());
    });
    return {
      ...renderKey(key, value),
      run_tokens: await runTokensOf(context.prisma, key.id, reachableProjects(caller)),
    };
  },
});
