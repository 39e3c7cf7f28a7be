import {
  Array as ArrayType,
  Boolean,
  Object as ObjectType,
  Optional,
  String as StringType,
  Unsafe,
  type Static,
} from 'typebox';
import { membershipLevels, type MembershipLevel } from '@millrace/contracts/membership-levels.ts';
import { nullable } from '@millrace/http/nullable.ts';
import type { Membership, User } from '@millrace/postgres/generated/client.ts';
import { summarizeUser, UserSummary, type StoredUser } from '../../accounts/user-summary.ts';

const timestamp = StringType({ format: 'date-time' });

const Level = Unsafe<MembershipLevel>({
  type: 'integer',
  enum: Object.values(membershipLevels),
  description: '1 member, 8 administrator, 15 owner.',
});

/** The way in which a member matched the search: it contains the text, or is similar to it. */
export type SearchMatch = 'exact' | 'similar' | null;

/** A member of an organization (contract/orgs-errors 2.4). */
export const Member = ObjectType(
  {
    id: StringType({ format: 'uuid', description: 'Of the membership.' }),
    user: UserSummary,
    level: Level,
    joined_at: timestamp,
    updated_at: timestamp,
    is_2fa_enabled: Boolean(),
    has_social_auth: Boolean(),
    last_login: nullable(timestamp),
    search_match_type: Unsafe<SearchMatch>({
      type: ['string', 'null'],
      enum: ['exact', 'similar', null],
      examples: [null],
      description: 'How the member met the search; null where nobody searched.',
    }),
  },
  { title: 'OrganizationMember' },
);
export type Member = Static<typeof Member>;

/** Body of PATCH. */
export const MemberChange = ObjectType(
  { level: Optional(Unsafe<MembershipLevel>({ ...Level, examples: [membershipLevels.admin] })) },
  { title: 'OrganizationMemberUpdate' },
);

const MemberKey = ObjectType(
  { name: StringType({ description: 'Its label.', examples: ['Dashboards'] }), last_used_at: nullable(timestamp) },
  { title: 'OrganizationMemberKey' },
);

/**
 * A member with the personal keys that have access to the organization; never their values (contract/orgs-errors 2.4).
 */
export const MemberWithKeys = ObjectType(
  {
    ...Member.properties,
    has_keys: Boolean({ examples: [true] }),
    has_keys_active_last_week: Boolean(),
    keys: ArrayType(MemberKey),
  },
  { title: 'OrganizationMemberWithKeys' },
);

/** Fields of a membership and its user that a member shows. */
export type StoredMember = Pick<Membership, 'id' | 'level' | 'joinedAt' | 'updatedAt'> & {
  user: StoredUser & Pick<User, 'is2faEnabled' | 'hasSocialAuth' | 'lastLogin'>;
};

/** The member as the API shows it. Pure. */
export function renderMember(
  { id, level, joinedAt, updatedAt, user }: StoredMember,
  match: SearchMatch = null,
): Member {
  return {
    id,
    user: summarizeUser(user),
    level: level as MembershipLevel,
    joined_at: joinedAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    is_2fa_enabled: user.is2faEnabled,
    has_social_auth: user.hasSocialAuth,
    last_login: user.lastLogin?.toISOString() ?? null,
    search_match_type: match,
  };
}
