import {
  Boolean,
  Integer,
  Object as ObjectType,
  String as StringType,
  Unknown,
  Record,
  Unsafe,
  type Static,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';

/** A user as other records show them (contract/orgs-errors 1.7). */
export const UserSummary = ObjectType(
  {
    id: Integer(),
    uuid: StringType({ format: 'uuid' }),
    distinct_id: nullable(StringType({ examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'] })),
    first_name: StringType({ examples: ['Ann'] }),
    last_name: StringType({ examples: ['Lee'] }),
    email: StringType({ examples: ['ann@example.com'] }),
    is_email_verified: nullable(Boolean()),
    hedgehog_config: nullable(Record(StringType(), Unknown())),
    role_at_organization: nullable(StringType()),
  },
  { title: 'UserSummary' },
);
export type UserSummary = Static<typeof UserSummary>;

/** A user in a reply; null: there is none, or it is gone. */
export const UserOrNull = Unsafe<UserSummary | null>({ anyOf: [UserSummary, { type: 'null' }] });

/** Roles of users; empty and null: none is known (contract/orgs-errors 1.7, contract/decisions 18). */
export const userRoles = [
  'engineering',
  'data',
  'product',
  'founder',
  'leadership',
  'marketing',
  'sales',
  'student',
  'other',
  '',
  null,
] as const;

/** The row of a user, as far as it is shown. */
export interface StoredUser {
  id: number;
  uuid: string;
  distinctId: string | null;
  firstName: string;
  lastName: string;
  email: string;
  isEmailVerified: boolean | null;
  hedgehogConfig: unknown;
  roleAtOrganization: string | null;
}

/** The summary of a user's row; null stays null. */
export function summarizeUser(user: StoredUser): UserSummary;
export function summarizeUser(user: StoredUser | null): UserSummary | null;
export function summarizeUser(user: StoredUser | null): UserSummary | null {
  if (user === null) return null;
  return {
    id: user.id,
    uuid: user.uuid,
    distinct_id: user.distinctId,
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    is_email_verified: user.isEmailVerified,
    hedgehog_config: (user.hedgehogConfig ?? null) as UserSummary['hedgehog_config'],
    role_at_organization: user.roleAtOrganization,
  };
}
