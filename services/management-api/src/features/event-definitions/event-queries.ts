import type { Page } from '@millrace/http/pagination.ts';
import { Prisma } from '@millrace/postgres/generated/client.ts';
import { allOf, nameHasWords } from '../../definitions/definition-queries.ts';
import type { EventListing, EventOrder } from './event-listing.ts';

const staleDays = 30;

/** Statement of the ids on a page of the list. Pure. */
export function eventPage(projectId: number, listing: EventListing, { limit, offset }: Page): Prisma.Sql {
  return Prisma.sql`
    SELECT d.id::text FROM event_definitions d WHERE ${conditions(projectId, listing)}
    ORDER BY ${orderOf(listing)} LIMIT ${limit} OFFSET ${offset}`;
}

/** Statement of the number of definitions on all pages. Pure. */
export function countEvents(projectId: number, listing: EventListing): Prisma.Sql {
  return Prisma.sql`SELECT count(*)::integer AS count FROM event_definitions d WHERE ${conditions(projectId, listing)}`;
}

function conditions(projectId: number, listing: EventListing): Prisma.Sql {
  const { kind, verified, names, tags, excluded } = listing;
  const isCore = Prisma.sql`starts_with(d.name, '$')`;
  const parts = [Prisma.sql`d.project_id = ${projectId}`, ...nameHasWords(listing.words)];
  if (kind === 'custom') parts.push(Prisma.sql`NOT ${isCore}`);
  if (kind === 'posthog') parts.push(isCore);
  if (verified === true) parts.push(Prisma.sql`(d.verified_at IS NOT NULL OR ${isCore})`);
  if (verified === false) parts.push(Prisma.sql`d.verified_at IS NULL AND NOT ${isCore}`);
  if (listing.excludeHidden) parts.push(Prisma.sql`NOT d.hidden`);
  if (listing.excludeStale) parts.push(Prisma.sql`d.last_seen_at >= now() - make_interval(days => ${staleDays})`);
  if (names !== null) parts.push(Prisma.sql`d.name = ANY(${[...names]}::text[])`);
  if (tags !== null) parts.push(Prisma.sql`d.tags && ${[...tags]}::text[]`);
  if (excluded.length > 0) parts.push(Prisma.sql`d.name <> ALL(${[...excluded]}::text[])`);
  return allOf(parts);
}

const columns: Readonly<Record<EventOrder['by'], Prisma.Sql>> = {
  name: Prisma.sql`d.name`,
  created_at: Prisma.sql`d.first_seen_at`,
  last_seen_at: Prisma.sql`d.last_seen_at`,
  'created_at::date': Prisma.sql`(d.first_seen_at AT TIME ZONE 'UTC')::date`,
  'last_seen_at::date': Prisma.sql`(d.last_seen_at AT TIME ZONE 'UTC')::date`,
};

function orderOf({ words, order }: EventListing): Prisma.Sql {
  const usual = words.length > 0 ? [Prisma.sql`length(d.name)`] : [Prisma.sql`${columns['last_seen_at::date']} DESC`];
  const wanted = order.map(({ by, descending }) => (descending ? Prisma.sql`${columns[by]} DESC` : columns[by]));
  return Prisma.join([...(wanted.length > 0 ? wanted : usual), columns.name]);
}
