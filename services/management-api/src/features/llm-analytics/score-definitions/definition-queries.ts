import type { Page } from '@millrace/http/pagination.ts';
import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { containsTextInAnyCase } from '../../../database/like-pattern.ts';
import { orderBy } from '../fields/list-order.ts';
import { userColumn } from '../fields/user-column.ts';
import type { DefinitionListing, DefinitionOrder } from './definition-listing.ts';
import type { StoredDefinition } from './stored-definition.ts';

type Reader = Pick<PrismaClient, '$queryRaw'>;

/** The definition of a project; null: it has none with this id. */
export async function readDefinition(prisma: Reader, projectId: number, id: string): Promise<StoredDefinition | null> {
  const one = Prisma.sql`SELECT * FROM score_definitions WHERE id = ${id}::uuid AND project_id = ${projectId}`;
  const [found] = await prisma.$queryRaw<StoredDefinition[]>(withVersions(one));
  return found ?? null;
}

/**
 * The definition, for a transaction that changes it: one of two waits, so that each sees what the other has made. Null: the project
 * has none with this id.
 */
export async function lockDefinition(prisma: Reader, projectId: number, id: string): Promise<StoredDefinition | null> {
  await prisma.$queryRaw`SELECT FROM score_definitions WHERE id = ${id}::uuid AND project_id = ${projectId} FOR NO KEY UPDATE`;
  return await readDefinition(prisma, projectId, id);
}

/** Statement of a page of the list. Pure. */
export function definitionPage(projectId: number, listing: DefinitionListing, { limit, offset }: Page): Prisma.Sql {
  const sorting = orderBy(listing.order, columns);
  const found = Prisma.sql`SELECT d.* FROM score_definitions d WHERE ${conditions(projectId, listing)}`;
  // A search that few match is found by its index. The planner would rather walk all of them in their order until the page is full.
  const source =
    listing.search === null ? found : Prisma.sql`WITH found AS MATERIALIZED (${found}) SELECT d.* FROM found d`;
  return Prisma.sql`${withVersions(Prisma.sql`${source} ORDER BY ${sorting} LIMIT ${limit} OFFSET ${offset}`)} ORDER BY ${sorting}`;
}

/** Statement of the number of definitions on all pages. Pure. */
export function countDefinitions(projectId: number, listing: DefinitionListing): Prisma.Sql {
  return Prisma.sql`SELECT count(*)::integer AS count FROM score_definitions d WHERE ${conditions(projectId, listing)}`;
}

function conditions(projectId: number, { archived, kind, search, tags, tagMatch }: DefinitionListing): Prisma.Sql {
  const parts = [
    Prisma.sql`d.project_id = ${projectId}`,
    archived ? Prisma.sql`d.archived` : Prisma.sql`NOT d.archived`,
  ];
  if (kind !== null) parts.push(Prisma.sql`d.kind = ${kind}`);
  if (search !== null) {
    const [inName, inDescription] = [columns.name, Prisma.sql`d.description`].map((column) =>
      containsTextInAnyCase(column, search),
    );
    parts.push(Prisma.sql`(${inName} OR ${inDescription})`);
  }
  if (tags.length > 0)
    parts.push(
      tagMatch === 'all' ? Prisma.sql`d.tags @> ${[...tags]}::text[]` : Prisma.sql`d.tags && ${[...tags]}::text[]`,
    );
  return Prisma.join(parts, ' AND ');
}

const columns: Readonly<Record<DefinitionOrder | 'id', Prisma.Sql>> = {
  id: Prisma.sql`d.id`,
  name: Prisma.sql`d.name`,
  kind: Prisma.sql`d.kind`,
  created_at: Prisma.sql`d.created_at`,
  updated_at: Prisma.sql`d.updated_at`,
  current_version: Prisma.sql`d.current_version`,
};

/** The definitions of a statement, as `StoredDefinition`. */
function withVersions(definitions: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT d.id::text, d.project_id AS "projectId", d.name, d.description, d.kind, d.archived, d.tags, d.created_at AS "createdAt",
      d.updated_at AS "updatedAt", v.version AS "currentVersion", v.id::text AS "currentVersionId", v.config,
      ${userColumn('u')} AS "createdBy"
    FROM (${definitions}) d
    JOIN score_definition_versions v ON v.definition_id = d.id AND v.version = d.current_version
    LEFT JOIN users u ON u.id = d.created_by_id`;
}
