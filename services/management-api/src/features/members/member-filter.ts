import { Boolean, Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { pageQuery } from '@millrace/http/pagination.ts';
import { withoutNuls } from '@millrace/http/requests/parse-query.ts';
import { readTime } from '@millrace/http/requests/read-time.ts';

const searchLengthMax = 200;
const levelMax = 2_147_483_647;

/** Query parameters of the list (spec 4.2, contract/orgs-errors 2.4). */
export const MemberQuery = ObjectType({
  ...pageQuery,
  search: Optional(
    StringType({
      ...withoutNuls,
      description:
        'Text in first name, last name or email. When nobody has it, members whose names or email are like it.',
      examples: ['ann'],
    }),
  ),
  email: Optional(
    StringType({
      description: 'Only the member with this address, in whatever case.',
      examples: ['ann@example.com'],
    }),
  ),
  email_domain: Optional(
    StringType({
      description: 'Only members whose address has this after its `@`, in upper or lower case.',
      examples: ['example.com'],
    }),
  ),
  levels: Optional(
    StringType({
      description: 'Only these levels, separated by commas: 1 member, 8 administrator, 15 owner.',
      examples: ['8,15'],
    }),
  ),
  outside_verified_domains: Optional(
    Boolean({ description: 'Only members whose address is of no verified domain of the organization.' }),
  ),
  updated_after: Optional(
    StringType({ format: 'date-time', description: 'Only memberships that changed after this.' }),
  ),
  order: Optional(
    StringType({ description: '`-joined_at` (newest first, the default) or `joined_at`.', examples: ['joined_at'] }),
  ),
});

/** Filters of members of an organization, without a search; null: no filter. */
export interface MemberFilter {
  organizationId: string;
  /** Only this user: a caller who may not see the others sees themselves. */
  userId: number | null;
  email: string | null;
  emailDomain: string | null;
  levels: readonly number[] | null;
  outsideVerifiedDomains: boolean;
  updatedAfter: Date | null;
}

/** Filter, search and order of a list. */
export interface MemberListing {
  filter: MemberFilter;
  /** Null: no search. */
  search: string | null;
  order: 'newest first' | 'oldest first';
}

/** Reads the query of a call. Pure. @throws {AppError} invalid_input about `search`, `levels` or `updated_after` */
export function readMemberQuery(
  query: Static<typeof MemberQuery>,
  { organizationId, userId }: Pick<MemberFilter, 'organizationId' | 'userId'>,
): MemberListing {
  return {
    filter: {
      organizationId,
      userId,
      email: textOf(query.email),
      emailDomain: textOf(query.email_domain),
      levels: query.levels === undefined ? null : readLevels(query.levels),
      outsideVerifiedDomains: query.outside_verified_domains ?? false,
      updatedAfter: query.updated_after === undefined ? null : readTime('updated_after', query.updated_after),
    },
    search: readSearch(query.search),
    order: query.order === 'joined_at' ? 'oldest first' : 'newest first',
  };
}

const textOf = (text = ''): string | null => (text.trim() === '' ? null : text.trim());

function readSearch(text: string | undefined): string | null {
  const search = textOf(text);
  if (search !== null && [...search].length > searchLengthMax) {
    throw new AppError('invalid_input', {
      attr: 'search',
      detail: `A search has at most ${searchLengthMax} characters.`,
    });
  }
  return search;
}

/** Null: all levels; a number that is no level matches no member. */
function readLevels(text: string): number[] | null {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const strange = parts.find((part) => !/^[+-]?\d+$/.test(part));
  if (strange !== undefined)
    throw new AppError('invalid_input', { attr: 'levels', detail: 'Levels are whole numbers separated by commas.' });
  return parts.length === 0 ? null : parts.map(Number).filter((level) => Math.abs(level) <= levelMax);
}
