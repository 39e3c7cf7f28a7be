import type { Page } from '@millrace/http/pagination.ts';
import { Prisma } from '@millrace/postgres/generated/client.ts';
import { allOf, nameHasWords } from '../../definitions/definition-queries.ts';
import { plainCoreProperties } from '../../definitions/core-properties.ts';
import { noInstruction } from '../../definitions/no-instruction.ts';
import type { PropertyListing } from './property-listing.ts';

/** A row of `propertyPage`. */
export interface FoundProperty {
  id: string;
  /** Null: the call names no events. */
  is_seen: boolean | null;
}

/** Statement of a page of the list: those seen on the events first, then verified ones, then by name. Pure. */
export function propertyPage(projectId: number, listing: PropertyListing, { limit, offset }: Page): Prisma.Sql {
  const isSeen = listing.eventNames === null ? Prisma.sql`NULL::boolean` : seenOn(projectId, listing.eventNames);
  return Prisma.sql`
    SELECT d.id::text, ${isSeen} AS is_seen FROM property_definitions d WHERE ${conditions(projectId, listing)}
    ORDER BY is_seen DESC, d.verified_at IS NULL, d.name LIMIT ${limit} OFFSET ${offset}`;
}

/** Statement of the number of definitions on all pages. Pure. */
export function countProperties(projectId: number, listing: PropertyListing): Prisma.Sql {
  return Prisma.sql`SELECT count(*)::integer AS count FROM property_definitions d WHERE ${conditions(projectId, listing)}`;
}

function seenOn(projectId: number, events: readonly string[] | null): Prisma.Sql {
  const ofThese = events === null ? Prisma.empty : Prisma.sql`AND event = ANY(${[...events]}::text[])`;
  return Prisma.sql`d.name IN (SELECT property FROM event_properties WHERE project_id = ${projectId} ${ofThese})`;
}

function conditions(projectId: number, listing: PropertyListing): Prisma.Sql {
  const { type, groupTypeIndex, names, excluded, isNumerical, isFeatureFlag } = listing;
  const isFlag = Prisma.sql`starts_with(d.name, '$feature/')`;
  const parts = [
    Prisma.sql`d.project_id = ${projectId} AND d.type = ${type} AND d.group_type_index = ${groupTypeIndex}`,
    noInstruction,
    ...nameHasWords(listing.words),
  ];
  if (type === 'event' && listing.excludeCore)
    parts.push(Prisma.sql`NOT starts_with(d.name, '$') AND d.name <> ALL(${[...plainCoreProperties]}::text[])`);
  if (type === 'event' && listing.onlyOfEvents) parts.push(seenOn(projectId, listing.eventNames));
  if (names !== null) parts.push(Prisma.sql`d.name = ANY(${[...names]}::text[])`);
  if (excluded.length > 0) parts.push(Prisma.sql`d.name <> ALL(${[...excluded]}::text[])`);
  if (isNumerical === true)
    parts.push(Prisma.sql`d.property_type = 'Numeric' AND d.name NOT IN ('distinct_id', 'timestamp')`);
  if (isNumerical === false) parts.push(Prisma.sql`d.property_type IS DISTINCT FROM 'Numeric'`);
  if (isFeatureFlag !== null) parts.push(isFeatureFlag ? isFlag : Prisma.sql`NOT ${isFlag}`);
  if (listing.excludeHidden) parts.push(Prisma.sql`NOT d.hidden`);
  return allOf(parts);
}
