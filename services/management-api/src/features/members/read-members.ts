import type { Page } from '@millrace/http/pagination.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { MemberListing } from './member-filter.ts';
import { renderMember, type Member, type SearchMatch, type StoredMember } from './member.ts';
import { countMembers, exactPage, memberPage, setLikeness, similarPage, type MemberRow } from './member-queries.ts';

interface FoundMembers {
  /** On all pages. */
  count: number;
  members: Member[];
}

/**
 * One page of members. A search finds members that contain its text; when there are none at all, members that are similar to it
 * (contract/orgs-errors 2.4).
 */
export async function readMembers(prisma: PrismaClient, listing: MemberListing, page: Page): Promise<FoundMembers> {
  if (listing.search === null) return await readPage(prisma, listing, page);
  const exact = foundIn(await prisma.$queryRaw<MemberRow[]>(exactPage(listing, listing.search, page)), 'exact');
  return exact.count > 0 ? exact : await readSimilar(prisma, { ...listing, search: listing.search }, page);
}

async function readPage(prisma: PrismaClient, listing: MemberListing, page: Page): Promise<FoundMembers> {
  // At once: over very many members the count takes longer than the page.
  const [rows, [counted]] = await Promise.all([
    prisma.$queryRaw<MemberRow[]>(memberPage(listing, page)),
    prisma.$queryRaw<{ count: number }[]>(countMembers(listing.filter)),
  ]);
  return { count: counted?.count ?? 0, members: membersOf(rows, null) };
}

async function readSimilar(
  prisma: PrismaClient,
  { filter, search }: MemberListing & { search: string },
  page: Page,
): Promise<FoundMembers> {
  const [, rows] = await prisma.$transaction([
    prisma.$executeRaw(setLikeness),
    prisma.$queryRaw<MemberRow[]>(similarPage(filter, search, page)),
  ]);
  return foundIn(rows, 'similar');
}

const foundIn = (rows: readonly MemberRow[], match: SearchMatch): FoundMembers => ({
  count: rows[0]?.count ?? 0,
  members: membersOf(rows, match),
});

const membersOf = (rows: readonly MemberRow[], match: SearchMatch): Member[] =>
  rows.flatMap((row) => (row.id === null ? [] : [renderMember(storedOf({ ...row, id: row.id }), match)]));

function storedOf(row: MemberRow & { id: string }): StoredMember {
  const { id, level, joined_at: joinedAt, updated_at: updatedAt } = row;
  const user = {
    id: row.user_id,
    uuid: row.uuid,
    distinctId: row.distinct_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    isEmailVerified: row.is_email_verified,
    hedgehogConfig: row.hedgehog_config,
    roleAtOrganization: row.role_at_organization,
    is2faEnabled: row.is_2fa_enabled,
    hasSocialAuth: row.has_social_auth,
    lastLogin: row.last_login,
  };
  return { id, level, joinedAt, updatedAt, user };
}
