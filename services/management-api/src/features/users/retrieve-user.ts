import { userRoute } from '../../context.ts';
import { UserParameter } from '../../accounts/user-parameter.ts';
import { requireSelf } from './require-self.ts';
import { showUser, User } from './user.ts';

export const retrieveUser = userRoute({
  operationId: 'retrieve_user',
  method: 'get',
  path: '/api/users/:user_uuid',
  access: 'personal-key',
  tag: 'Users',
  summary: 'Say who calls: the owner of the key, and what is current for them',
  params: { user_uuid: UserParameter },
  responses: { 200: User },
  async handler({ params, auth: { caller }, context }) {
    requireSelf(params.user_uuid, caller);
    return await showUser(context.prisma, caller);
  },
});
