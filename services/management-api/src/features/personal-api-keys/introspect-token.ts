import { Array as ArrayType, Boolean, Integer, Object as ObjectType, Optional, String as StringType } from 'typebox';
import { hashKey } from '../../auth/key-hash.ts';
import { userRoute } from '../../context.ts';

/** The introspection of a token by RFC 7662, with the limits of a key (contract/clients B10). A token that is not active shows nothing else. */
const Introspection = ObjectType(
  {
    active: Boolean({ examples: [true] }),
    scope: Optional(
      StringType({ description: 'The scopes, with blanks between.', examples: ['endpoint:read query:read'] }),
    ),
    scoped_teams: Optional(ArrayType(Integer(), { examples: [[1]] })),
    scoped_organizations: Optional(ArrayType(StringType({ format: 'uuid' }), { examples: [[]] })),
    sub: Optional(
      StringType({ description: 'UUID of the owner.', examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'] }),
    ),
    token_type: Optional(StringType({ examples: ['Bearer'] })),
    iat: Optional(Integer({ description: 'When it was made, in seconds since 1970.', examples: [1_767_323_045] })),
    exp: Optional(Integer({ description: 'When it ends, in seconds since 1970.' })),
  },
  { title: 'TokenIntrospection' },
);

/** A key shows only itself, so that the route cannot be used to test other tokens. */
export const introspectToken = userRoute({
  operationId: 'introspect_token',
  method: 'post',
  path: '/oauth/introspect',
  access: 'personal-key',
  tag: 'Personal API keys',
  summary: 'Say what the key in the field `token` opens, when it is the one that the call is made with',
  body: ObjectType(
    { token: StringType({ minLength: 1, examples: ['phx_…'] }), token_type_hint: Optional(StringType()) },
    { title: 'TokenIntrospectionRequest' },
  ),
  responses: { 200: Introspection },
  async handler({ auth: { caller }, context, body }) {
    const key = await context.prisma.personalApiKey.findUnique({ where: { secureValue: hashKey(body.token) } });
    if (key === null || key.id !== caller.keyId) return { active: false };
    const limits = { scoped_teams: key.scopedTeams, scoped_organizations: key.scopedOrganizations };
    const end = key.expiresAt === null ? {} : { exp: seconds(key.expiresAt) };
    return {
      active: true,
      scope: key.scopes.join(' '),
      ...limits,
      sub: caller.userUuid,
      token_type: 'Bearer',
      iat: seconds(key.createdAt),
      ...end,
    };
  },
});

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
