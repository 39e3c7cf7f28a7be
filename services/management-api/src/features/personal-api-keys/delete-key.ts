import { reply } from '@millrace/http/replies/reply.ts';
import { removeKey } from '../../accounts/key-store.ts';
import { userRoute } from '../../context.ts';
import { lockKeys } from './find-key.ts';
import { OtherKeyParameter } from './personal-api-key.ts';

export const deleteKey = userRoute({
  operationId: 'delete_key',
  method: 'delete',
  path: '/api/personal_api_keys/:key_id',
  access: { scope: 'personal_api_key:write' },
  tag: 'Personal API keys',
  summary: 'Revoke a key of yours; within a second it is worth nothing',
  params: { key_id: OtherKeyParameter },
  responses: { 204: null },
  async handler({ params, auth: { caller }, context }) {
    await context.prisma.$transaction(async (transaction) => {
      const { key } = await lockKeys(transaction, caller, params.key_id);
      await removeKey(transaction, caller, key);
    });
    return reply(204, undefined);
  },
});
