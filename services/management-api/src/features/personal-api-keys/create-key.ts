import { reply } from '@millrace/http/replies/reply.ts';
import { makeKey } from '../../accounts/key-store.ts';
import { userRoute } from '../../context.ts';
import { refuseMoreKeys } from '../../accounts/maker-limits.ts';
import { lockKeys } from './find-key.ts';
import { requireVisible, wantedPower } from './key-limits.ts';
import { requireWithin } from './key-power.ts';
import { NewKeyBody, PersonalApiKey, renderKey } from './personal-api-key.ts';

export const createKey = userRoute({
  operationId: 'create_key',
  method: 'post',
  path: '/api/personal_api_keys',
  access: { scope: 'personal_api_key:write' },
  tag: 'Personal API keys',
  summary: 'Make a key that opens no more than the one it is made with; its value is shown once',
  body: NewKeyBody,
  responses: { 201: PersonalApiKey },
  async handler({ auth: { caller }, context, body }) {
    const { value, key } = await context.prisma.$transaction(async (transaction) => {
      const { own } = await lockKeys(transaction, caller, '@current');
      const wanted = wantedPower(body, own, context.clock.nowMs());
      requireWithin(own, wanted);
      await requireVisible(transaction, caller.userId, wanted);
      await refuseMoreKeys(transaction, caller.userId);
      return await makeKey(transaction, caller, { userId: caller.userId, label: body.label, ...wanted });
    });
    return reply(201, renderKey(key, value));
  },
});
