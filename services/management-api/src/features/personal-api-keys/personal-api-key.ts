import {
  Array as ArrayType,
  Integer,
  Object as ObjectType,
  Optional,
  String as StringType,
  Unsafe,
  type Static,
} from 'typebox';
import { scopes, type GrantedScope } from '@millrace/contracts/scopes.ts';
import { nullable } from '@millrace/http/nullable.ts';
import type { PersonalApiKey as StoredKey } from '@millrace/postgres/generated/client.ts';
import { misnamedFields, namesOfEnd } from '../../misnamed-fields.ts';

const timestamp = StringType({ format: 'date-time' });
const scopesOfExample: GrantedScope[] = ['endpoint:read', 'query:read'];

/** A personal API key as its owner sees it. `value` is there once, in the reply that made it. */
export const PersonalApiKey = ObjectType(
  {
    id: StringType({ examples: ['Qx3mZ81kTb'] }),
    label: StringType({ examples: ['Dashboards'] }),
    value: nullable(
      StringType({ description: 'The key itself, only in the reply that makes or rolls it; else null.' }),
    ),
    mask_value: StringType({ description: 'First and last four characters.', examples: ['phx_...4fGh'] }),
    user_id: Integer(),
    scopes: ArrayType(StringType(), { examples: [scopesOfExample] }),
    scoped_teams: ArrayType(Integer(), {
      examples: [[1]],
      description: 'Projects the key is limited to; empty: not limited.',
    }),
    scoped_organizations: ArrayType(StringType({ format: 'uuid' }), {
      examples: [[]],
      description: 'Organizations the key is limited to; empty: not limited.',
    }),
    created_at: timestamp,
    last_used_at: nullable(timestamp),
    last_rolled_at: nullable(timestamp),
    expires_at: nullable(timestamp),
  },
  { title: 'PersonalApiKey' },
);

const MadeToken = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    label: StringType({ examples: ['Signup page'] }),
    mask_value: StringType({ description: 'First and last four characters.', examples: ['phr_...9kLm'] }),
    project_id: Integer(),
    endpoint: StringType({ description: 'Name of the endpoint that it runs.', examples: ['team-sizes'] }),
    created_at: timestamp,
    expires_at: nullable(timestamp),
  },
  { title: 'RunTokenOfKey' },
);

/** A key with the run tokens that were made with it: they live on when it gets another value, narrower limits or is revoked. */
export const KeyWithRunTokens = ObjectType(
  {
    ...PersonalApiKey.properties,
    run_tokens: ArrayType(MadeToken, {
      description:
        'The newest 1,000 that were made with the key, run what the calling key may see, and are not revoked.',
    }),
  },
  { title: 'PersonalApiKeyWithRunTokens' },
);

const keyParameter = (example: string) =>
  StringType({
    pattern: '^(?:@current|[0-9A-Za-z]{1,64})$',
    description: 'Id of the key, or `@current`.',
    examples: [example],
  });

/** A key in a path: its id, or `@current` for the one that the call is made with. */
export const KeyParameter = keyParameter('@current');

/** The same for operations that change a key: their example never names the key of the call. */
export const OtherKeyParameter = keyParameter('Qx3mZ81kTb');

const label = StringType({ format: 'line', minLength: 1, maxLength: 40, examples: ['Dashboards'] });
const grantedScopes = (more: { examples?: GrantedScope[][] } = {}) =>
  ArrayType(Unsafe<GrantedScope>({ type: 'string', enum: ['*', ...scopes] }), {
    minItems: 1,
    maxItems: 100,
    ...more,
  });
const limits = {
  scoped_teams: Optional(nullable(ArrayType(Integer({ minimum: 1, maximum: 2_147_483_647 }), { maxItems: 1000 }))),
  scoped_organizations: Optional(nullable(ArrayType(StringType({ format: 'uuid' }), { maxItems: 1000 }))),
  expires_at: Optional(
    nullable(StringType({ format: 'date-time', description: 'From then on the key is worth nothing; null: never.' })),
  ),
};

/** A limit by another name would be none, and an end no end. */
const misnamed = misnamedFields({
  label: ['name'],
  scopes: ['permissions'],
  scoped_teams: [
    'project',
    'projects',
    'project_id',
    'project_ids',
    'scoped_projects',
    'team',
    'teams',
    'team_id',
    'team_ids',
  ],
  scoped_organizations: ['organization', 'organizations', 'organization_id', 'organization_ids'],
  expires_at: namesOfEnd,
});

/** Body of create. Limits and an end that are not given are those of the key that makes it. */
export const NewKeyBody = ObjectType(
  { label, scopes: grantedScopes({ examples: [scopesOfExample] }), ...limits },
  { title: 'PersonalApiKeyCreate', ...misnamed },
);

/** Body of update: what is given can only become less. */
export const KeyChangeBody = ObjectType(
  { label: Optional(label), scopes: Optional(grantedScopes()), ...limits },
  { title: 'PersonalApiKeyUpdate', ...misnamed },
);

/** The key, with its value when it was just made. */
export function renderKey(key: StoredKey, value: string | null = null): Static<typeof PersonalApiKey> {
  return {
    id: key.id,
    label: key.label,
    value,
    mask_value: key.maskValue,
    user_id: key.userId,
    scopes: key.scopes,
    scoped_teams: key.scopedTeams,
    scoped_organizations: key.scopedOrganizations,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_rolled_at: key.lastRolledAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
  };
}
