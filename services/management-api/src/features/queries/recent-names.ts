import type { PropertyType } from '@millrace/contracts/property-types.ts';
import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { PropertyOwnerPath } from '@millrace/query-language/schema/project-schema.ts';
import { noInstruction } from '../../definitions/no-instruction.ts';

/** Rows of a list that is cut, and how many there are beyond them. */
interface Cut<Row> {
  rows: Row[];
  more: number;
}

/** Names that a project has sent lately, newest first. */
export interface RecentNames {
  events: Cut<{ name: string }>;
  properties: Cut<{ owner: PropertyOwnerPath; name: string; type: PropertyType | null }>;
}

/** Names of each kind. */
const namesMax = 1_000;
const dayMs = 86_400_000;
const days = 7;

/** The names that were seen in the 7 days before `nowMs`, at most 1,000 of each kind. Throws what Prisma throws. */
export async function readRecentNames(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  projectId: number,
  nowMs: number,
): Promise<RecentNames> {
  const recent = Prisma.sql`d.project_id = ${projectId} AND d.last_seen_at >= ${new Date(nowMs - days * dayMs)}`;
  const newest = Prisma.sql`ORDER BY d.last_seen_at DESC, d.name LIMIT ${namesMax}`;
  const [events, properties] = await Promise.all([
    prisma.$queryRaw<Counted<{ name: string }>[]>`
      SELECT d.name, count(*) OVER ()::integer AS total FROM event_definitions d WHERE ${recent} ${newest}`,
    prisma.$queryRaw<Counted<RecentNames['properties']['rows'][number]>[]>`
      SELECT CASE d.type WHEN 'group' THEN 'group_' || d.group_type_index ELSE d.type END AS owner, d.name,
        d.property_type AS type, count(*) OVER ()::integer AS total
      FROM property_definitions d WHERE ${recent} AND ${noInstruction} ${newest}`,
  ]);
  return { events: cut(events), properties: cut(properties) };
}

type Counted<Row> = Row & { total: number };

function cut<Row>(rows: Counted<Row>[]): Cut<Row> {
  return { rows, more: (rows[0]?.total ?? 0) - rows.length };
}
