import { Array as ArrayType, Boolean, Optional, String as StringType, type Static, type TSchema } from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import type { Prisma, User } from '@millrace/postgres/generated/client.ts';
import { summarizeUser, UserOrNull } from '../accounts/user-summary.ts';
import { tagList } from '../tag-list.ts';

const timestamp = StringType({ format: 'date-time' });
const description = StringType({ maxLength: 4_000, examples: ['Somebody made an account.'] });
const verified = Boolean({ description: 'A member has confirmed it. A hidden one is not verified.' });
const hidden = Boolean({ description: 'Lists for choosing leave it out. A verified one is not hidden.' });

/** Fields that definitions of events and of properties share (contract/decisions 74). */
export const definitionFields = {
  id: StringType({ format: 'uuid' }),
  description,
  tags: ArrayType(StringType(), { examples: [['web']] }),
  verified,
  verified_at: nullable(timestamp),
  verified_by: UserOrNull,
  hidden,
  first_seen_at: timestamp,
  last_seen_at: StringType({ format: 'date-time', description: 'Moves once a minute while it comes.' }),
  updated_at: StringType({ format: 'date-time', description: 'Time of the last change by a member.' }),
  updated_by: UserOrNull,
};
type DefinitionFields = { [Name in keyof typeof definitionFields]: Static<(typeof definitionFields)[Name]> };

/** Fields of PATCH that definitions of events and of properties share. */
export const definitionChange = {
  description: Optional(nullable(description)),
  tags: Optional(tagList),
  verified: Optional(verified),
  hidden: Optional(hidden),
} satisfies Record<string, TSchema>;

/** Columns that definitions of events and of properties share. */
export interface StoredDefinition {
  id: string;
  name: string;
  description: string;
  tags: string[];
  hidden: boolean;
  firstSeenAt: Date;
  lastSeenAt: Date;
  verifiedAt: Date | null;
  verifiedBy: User | null;
  updatedAt: Date | null;
  updatedBy: User | null;
}

/** The members of a definition, for Prisma's `include`. */
export const withMembers = { verifiedBy: true, updatedBy: true } as const satisfies Prisma.EventDefinitionInclude;

/** Pure. */
export function renderShared(row: StoredDefinition): DefinitionFields {
  return {
    id: row.id,
    description: row.description,
    tags: row.tags,
    verified: row.verifiedAt !== null,
    verified_at: row.verifiedAt?.toISOString() ?? null,
    verified_by: summarizeUser(row.verifiedBy),
    hidden: row.hidden,
    first_seen_at: row.firstSeenAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    updated_at: (row.updatedAt ?? row.firstSeenAt).toISOString(),
    updated_by: summarizeUser(row.updatedBy),
  };
}

/** Fields of a definition that the activity log shows. Pure. */
export function loggedFields({ description, tags, verifiedAt, hidden }: StoredDefinition): Record<string, unknown> {
  return { description, tags, verified: verifiedAt !== null, hidden };
}
