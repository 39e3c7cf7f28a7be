import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { generateMembers } from '@millrace/testkit/generated-organization.ts';
import { explained, fillDatabase, readPlan, type PlanRow } from '../../test/plans.ts';
import { startTestApi, type TestApi } from '../../test/test-api.ts';
import { readMemberQuery, type MemberQuery } from './member-filter.ts';
import { countMembers, exactPage, memberPage, setLikeness, similarPage } from './member-queries.ts';
import type { Static } from 'typebox';

// Plans of the list's statements: the cost in an organization of very many members must not grow with it, nor
// with the other organizations. (How long they take over 100,000 is what `npm run bench -- management` measures.)
const members = 30_000;
const domain = 'large.test';
let api: TestApi;
let organizationId: string;
beforeAll(async () => {
  api = await startTestApi();
  organizationId = randomUUID();
  await fillDatabase(api.databaseUrl, async (pool) => {
    for (const [index, id] of [organizationId, randomUUID()].entries()) {
      await pool.query("INSERT INTO organizations (id, name) VALUES ($1, 'Large')", [id]);
      await generateMembers(pool, {
        organizationId: id,
        domain: index === 0 ? domain : 'other.test',
        members,
        from: index * members + 1,
      });
    }
  });
}, 60_000);
afterAll(() => api?.stop());

async function plan(statement: Prisma.Sql): Promise<ReturnType<typeof readPlan>> {
  const [, rows] = await api.prisma.$transaction([
    api.prisma.$executeRaw(setLikeness),
    api.prisma.$queryRaw<PlanRow[]>(explained(statement)),
  ]);
  return readPlan(rows);
}

const page = { limit: 100, offset: 0 };
const wishOf = (query: Static<typeof MemberQuery>) => readMemberQuery(query, { organizationId, userId: null });
const rows = ['memberships_pkey', 'users_pkey'];

describe('members are listed by index', () => {
  test.each<[string, Static<typeof MemberQuery>, string]>([
    ['a domain of most', { email_domain: domain }, 'listed_members_domain_idx'],
    ['a domain of some', { email_domain: `partner9.${domain}` }, 'listed_members_domain_idx'],
  ])('%s', async (_name, query, index) => {
    const found = await plan(memberPage(wishOf(query), page));
    const counted = await plan(countMembers(wishOf(query).filter));
    expect([found.sequential, counted.sequential]).toEqual([[], []]);
    // A page may also be read in its order, by the first index, until it is full.
    expect(found.indexes).toEqual(expect.arrayContaining(rows));
    expect([...found.indexes, ...counted.indexes].filter((name) => name === index)).not.toEqual([]);
    expect(counted.indexes).toContain(index);
  });

  test.each<[string, Static<typeof MemberQuery>]>([
    ['the default page', {}],
    ['the oldest first', { order: 'joined_at' }],
  ])('%s, without a look at the members of other pages to count them', async (_name, query) => {
    const found = await plan(memberPage(wishOf(query), page));
    expect([found.sequential, found.indexes]).toEqual([[], ['listed_members_page_idx', ...rows]]);
    const { sequential, indexes } = await plan(countMembers(wishOf(query).filter));
    expect([...sequential, ...indexes].filter((name) => !name.startsWith('listed_member_counts'))).toEqual([]);
    const [counted] = await api.prisma.$queryRaw<{ count: number }[]>(countMembers(wishOf(query).filter));
    expect(counted?.count).toBe(members - members / 50);
  });

  test.each<[string, string, Static<typeof MemberQuery>]>([
    ['three letters', 'yam', {}],
    ['a name', 'Annas', {}],
    ['an address', `lindsson7@${domain}`, {}],
    ['letters that few have, of whom a walk through all in their order would be in search for long', 'akwe', {}],
    ['a name in a domain', 'yamqvist', { email_domain: domain }],
  ])('a search of %s', async (_name, search, query) => {
    const { sequential, indexes } = await plan(exactPage(wishOf(query), search, page));
    expect([sequential, indexes]).toEqual([[], ['listed_members_search_idx', ...rows]]);
  });

  test('likeness is looked for in the index too', async () => {
    const { sequential, indexes } = await plan(similarPage(wishOf({}).filter, 'yamqwist', page));
    expect([sequential, indexes]).toEqual([[], ['listed_members_search_idx', ...rows]]);
  });

  test('one address', async () => {
    const { sequential, indexes } = await plan(memberPage(wishOf({ email: `x@${domain}` }), page));
    expect([sequential, indexes]).toEqual([[], expect.arrayContaining(['users_email_lower_key'])]);
  });
});
