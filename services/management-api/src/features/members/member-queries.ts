import { Prisma } from '@millrace/postgres/generated/client.ts';
import type { Page } from '@millrace/http/pagination.ts';
import { containsText } from '../../database/like-pattern.ts';
import type { MemberFilter, MemberListing } from './member-filter.ts';

/** A row of the statements for pages; only searches have `count`. A row without a user: the page is empty. */
export interface MemberRow {
  count?: number;
  id: string | null;
  level: number;
  joined_at: Date;
  updated_at: Date;
  user_id: number;
  uuid: string;
  distinct_id: string | null;
  first_name: string;
  last_name: string;
  email: string;
  is_email_verified: boolean | null;
  hedgehog_config: Prisma.JsonValue;
  role_at_organization: string | null;
  is_2fa_enabled: boolean;
  has_social_auth: boolean;
  last_login: Date | null;
}

/**
 * For the transaction of `similarPage`: what is like a search is more than 0.3 like it (contract/orgs-errors 2.4). The
 * operator is "at least": no likeness, a fraction of some dozens, lies between the two numbers.
 */
export const setLikeness = Prisma.sql`SET LOCAL pg_trgm.word_similarity_threshold = 0.30001`;

/** Statement of one page of members that match the filter. Pure. */
export function memberPage(
  { filter, order }: Pick<MemberListing, 'filter' | 'order'>,
  { limit, offset }: Page,
): Prisma.Sql {
  const sorting = byTime(order);
  return Prisma.sql`
    SELECT ${columns}
    FROM (
      SELECT page.membership_id, page.joined_at FROM listed_members page WHERE ${conditions(filter)}
      ORDER BY ${sorting} LIMIT ${limit} OFFSET ${offset}
    ) page ${joins} ORDER BY ${sorting}`;
}

/** Statement of the number of members on all pages of `memberPage`. Pure. */
export function countMembers(filter: MemberFilter): Prisma.Sql {
  if (isWhole(filter)) {
    return Prisma.sql`SELECT coalesce(sum(members), 0)::integer AS count FROM listed_member_counts WHERE organization_id = ${filter.organizationId}::uuid`;
  }
  return Prisma.sql`SELECT count(*)::integer AS count FROM listed_members page WHERE ${conditions(filter)}`;
}

/** Statement of one page of members that contain the text, with the count of all of them. Pure. */
export function exactPage(
  { filter, order }: Pick<MemberListing, 'filter' | 'order'>,
  search: string,
  page: Page,
): Prisma.Sql {
  const found = Prisma.sql`SELECT page.membership_id, page.joined_at FROM listed_members page WHERE ${conditions(filter)} AND ${contains(search)}`;
  return countedPage(found, byTime(order), page);
}

/** Statement of one page of members with a similar name or email, the most similar first, with the count of all of them. Pure. */
export function similarPage(filter: MemberFilter, search: string, page: Page): Prisma.Sql {
  const like = (field: string): Prisma.Sql => Prisma.sql`word_similarity(${search}::text, ${Prisma.raw(field)})`;
  const alike = Prisma.sql`
      SELECT page.membership_id, page.first_name, ${like('page.first_name')} + ${like('page.last_name')} + ${like('page.email')} AS likeness
      FROM listed_members page
      WHERE ${conditions(filter)} AND (${search}::text <% page.first_name OR ${search}::text <% page.last_name OR ${search}::text <% page.email)`;
  return countedPage(alike, Prisma.sql`page.likeness DESC, page.first_name, page.membership_id`, page);
}

/**
 * A page of what is found, and how much that is: found once, through the index. A statement for the page alone is tempted to
 * go through the members in their order until it is full, and goes through all of them for a text that few contain.
 */
function countedPage(found: Prisma.Sql, sorting: Prisma.Sql, { limit, offset }: Page): Prisma.Sql {
  return Prisma.sql`
    WITH found AS MATERIALIZED (${found})
    SELECT counted.count, ${columns}
    FROM (SELECT count(*)::integer AS count FROM found) counted
    LEFT JOIN (
      (SELECT * FROM found page ORDER BY ${sorting} LIMIT ${limit} OFFSET ${offset}) page ${joins}
    ) ON true
    ORDER BY ${sorting}`;
}

const byTime = (order: MemberListing['order']): Prisma.Sql =>
  order === 'newest first'
    ? Prisma.sql`page.joined_at DESC, page.membership_id DESC`
    : Prisma.sql`page.joined_at, page.membership_id`;

const isWhole = ({ userId, email, emailDomain, levels, outsideVerifiedDomains, updatedAfter }: MemberFilter): boolean =>
  [userId, email, emailDomain, levels, updatedAfter].every((wanted) => wanted === null) && !outsideVerifiedDomains;

const columns = Prisma.sql`m.id::text, m.level, m.joined_at, m.updated_at, u.id AS user_id, u.uuid::text, u.distinct_id, u.first_name, u.last_name, u.email,
      u.is_email_verified, u.hedgehog_config, u.role_at_organization, u.is_2fa_enabled, u.has_social_auth, u.last_login`;

const joins = Prisma.sql`JOIN memberships m ON m.id = page.membership_id JOIN users u ON u.id = m.user_id`;

function conditions(filter: MemberFilter): Prisma.Sql {
  const parts = [Prisma.sql`page.organization_id = ${filter.organizationId}::uuid`];
  if (filter.userId !== null) parts.push(Prisma.sql`page.user_id = ${filter.userId}`);
  if (filter.email !== null)
    parts.push(Prisma.sql`page.user_id IN (SELECT id FROM users WHERE lower(email) = lower(${filter.email}))`);
  if (filter.emailDomain !== null) parts.push(Prisma.sql`page.email_domain = lower(${filter.emailDomain})`);
  if (filter.outsideVerifiedDomains) {
    parts.push(
      Prisma.sql`page.email_domain NOT IN (SELECT domain FROM organization_domains WHERE organization_id = ${filter.organizationId}::uuid)`,
    );
  }
  if (filter.levels !== null || filter.updatedAfter !== null)
    parts.push(Prisma.sql`page.membership_id IN (${membershipsOf(filter)})`);
  return Prisma.join(parts, ' AND ');
}

function membershipsOf({ organizationId, levels, updatedAfter }: MemberFilter): Prisma.Sql {
  const ofLevels = levels === null ? Prisma.empty : Prisma.sql`AND level = ANY(${[...levels]}::integer[])`;
  const ofTime = updatedAfter === null ? Prisma.empty : Prisma.sql`AND updated_at > ${updatedAfter}`;
  return Prisma.sql`SELECT id FROM memberships WHERE organization_id = ${organizationId}::uuid ${ofLevels} ${ofTime}`;
}

function contains(search: string): Prisma.Sql {
  const columns = [Prisma.sql`page.first_name`, Prisma.sql`page.last_name`, Prisma.sql`page.email`];
  return Prisma.sql`(${Prisma.join(
    columns.map((column) => containsText(column, search)),
    ' OR ',
  )})`;
}
