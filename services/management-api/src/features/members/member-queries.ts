import { Prisma } from '@millrace/postgres/generated/client.ts';
import type { Page } from '@millrace/http/pagination.ts';
import type { MemberFilter, MemberWish } from './member-filter.ts';

/** A row of the statements for pages; `count`: of the search by likeness alone. Without a user: nobody is on this page. */
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

/** One page of those who meet the filter and, when there is a search, contain its text. Pure. */
export function memberPage({ filter, search, order }: MemberWish, { limit, offset }: Page): Prisma.Sql {
  const direction = order === 'newest first' ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  return Prisma.sql`
    SELECT ${columns}
    FROM (
      SELECT l.membership_id, l.joined_at FROM listed_members l WHERE ${conditions(filter, search)}
      ORDER BY l.joined_at ${direction}, l.membership_id ${direction} LIMIT ${limit} OFFSET ${offset}
    ) page ${joins} ORDER BY page.joined_at ${direction}, page.membership_id ${direction}`;
}

/** How many there are on all pages of `memberPage`. Pure. */
export function countMembers({ filter, search }: Pick<MemberWish, 'filter' | 'search'>): Prisma.Sql {
  if (search === null && isWhole(filter)) {
    return Prisma.sql`SELECT coalesce(sum(members), 0)::integer AS count FROM listed_member_counts WHERE organization_id = ${filter.organizationId}::uuid`;
  }
  return Prisma.sql`SELECT count(*)::integer AS count FROM listed_members l WHERE ${conditions(filter, search)}`;
}

/** One page of those whose names or email are like the search, the most alike first, and the count of all of them. Pure. */
export function similarPage(filter: MemberFilter, search: string, { limit, offset }: Page): Prisma.Sql {
  const like = (field: string): Prisma.Sql => Prisma.sql`word_similarity(${search}::text, ${Prisma.raw(field)})`;
  return Prisma.sql`
    WITH alike AS MATERIALIZED (
      SELECT l.membership_id, l.first_name, ${like('l.first_name')} + ${like('l.last_name')} + ${like('l.email')} AS likeness
      FROM listed_members l
      WHERE ${conditions(filter, null)} AND (${search}::text <% l.first_name OR ${search}::text <% l.last_name OR ${search}::text <% l.email)
    )
    SELECT counted.count, ${columns}
    FROM (SELECT count(*)::integer AS count FROM alike) counted
    LEFT JOIN (
      (SELECT * FROM alike ORDER BY likeness DESC, first_name, membership_id LIMIT ${limit} OFFSET ${offset}) page ${joins}
    ) ON true
    ORDER BY page.likeness DESC, page.first_name, page.membership_id`;
}

const isWhole = ({ userId, email, emailDomain, levels, outsideVerifiedDomains, updatedAfter }: MemberFilter): boolean =>
  [userId, email, emailDomain, levels, updatedAfter].every((wanted) => wanted === null) && !outsideVerifiedDomains;

const columns = Prisma.sql`m.id::text, m.level, m.joined_at, m.updated_at, u.id AS user_id, u.uuid::text, u.distinct_id, u.first_name, u.last_name, u.email,
      u.is_email_verified, u.hedgehog_config, u.role_at_organization, u.is_2fa_enabled, u.has_social_auth, u.last_login`;

const joins = Prisma.sql`JOIN memberships m ON m.id = page.membership_id JOIN users u ON u.id = m.user_id`;

function conditions(filter: MemberFilter, search: string | null): Prisma.Sql {
  const parts = [Prisma.sql`l.organization_id = ${filter.organizationId}::uuid`];
  if (filter.userId !== null) parts.push(Prisma.sql`l.user_id = ${filter.userId}`);
  if (filter.email !== null) parts.push(Prisma.sql`l.user_id IN (SELECT id FROM users WHERE lower(email) = lower(${filter.email}))`);
  if (filter.emailDomain !== null) parts.push(Prisma.sql`l.email_domain = lower(${filter.emailDomain})`);
  if (filter.outsideVerifiedDomains) {
    parts.push(Prisma.sql`l.email_domain NOT IN (SELECT domain FROM organization_domains WHERE organization_id = ${filter.organizationId}::uuid)`);
  }
  if (filter.levels !== null || filter.updatedAfter !== null) parts.push(Prisma.sql`l.membership_id IN (${membershipsOf(filter)})`);
  if (search !== null) parts.push(contains(search));
  return Prisma.join(parts, ' AND ');
}

function membershipsOf({ organizationId, levels, updatedAfter }: MemberFilter): Prisma.Sql {
  const ofLevels = levels === null ? Prisma.empty : Prisma.sql`AND level = ANY(${[...levels]}::integer[])`;
  const ofTime = updatedAfter === null ? Prisma.empty : Prisma.sql`AND updated_at > ${updatedAfter}`;
  return Prisma.sql`SELECT id FROM memberships WHERE organization_id = ${organizationId}::uuid ${ofLevels} ${ofTime}`;
}

function contains(search: string): Prisma.Sql {
  const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return Prisma.sql`(l.first_name LIKE lower(${pattern}) OR l.last_name LIKE lower(${pattern}) OR l.email LIKE lower(${pattern}))`;
}
