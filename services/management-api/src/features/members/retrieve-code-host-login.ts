import { Object as ObjectType, String as StringType } from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { organizationRoute } from '../../context.ts';
import { UserParameter } from '../../accounts/user-parameter.ts';
import { findMember } from './find-member.ts';

const login = nullable(StringType({ description: 'Null: none is linked.', examples: ['ann-lee'] }));
const shared = {
  method: 'get',
  access: { scope: 'organization_member:read' },
  tag: 'Members',
  params: { user__uuid: UserParameter },
  find: findMember,
} as const;

export const retrieveCodeHostLogin = organizationRoute({
  ...shared,
  operationId: 'retrieve_code_host_login',
  path: '/api/organizations/:organization_id/members/:user__uuid/code_host_login',
  summary: "Retrieve a member's login on the connected code host",
  responses: { 200: ObjectType({ code_host_login: login }) },
  handler: ({ found: { user } }) => ({ code_host_login: user.codeHostLogin }),
});

export const retrieveGithubLogin = organizationRoute({
  ...shared,
  operationId: 'retrieve_github_login',
  path: '/api/organizations/:organization_id/members/:user__uuid/github_login',
  summary: 'The same by its older name',
  responses: { 200: ObjectType({ github_login: login }) },
  handler: ({ found: { user } }) => ({ github_login: user.codeHostLogin }),
});
