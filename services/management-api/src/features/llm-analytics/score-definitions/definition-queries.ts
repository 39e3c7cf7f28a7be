import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { RunPrepared } from '../../../database/prepared-statements.ts';
import { containsTextInAnyCase } from '../../../database/like-pattern.ts';
import type { Listed } from '../../../lists/id-page.ts';
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

/** The definitions with these ids, in any order. */
export async function readDefinitions(
  runPrepared: RunPrepared,
  projectId: number,
  ids: readonly string[],
): Promise<StoredDefinition[]> {
  const some = Prisma.sql`SELECT * FROM score_definitions WHERE id = ANY(${[...ids]}::uuid[]) AND project_id = ${projectId}`;
  return await runPrepared<StoredDefinition>('find-score-definitions', withVersions(some));
}

/** The rows of the list. Pure. */
export function listedDefinitions(projectId: number, listing: DefinitionListing): Listed<DefinitionOrder> {
  const rows = Prisma.sql`FROM score_definitions r WHERE ${conditions(projectId, listing)}`;
  return {
    rows,
    columns,
    order: listing.order,
    mayBeFew: listing.search !== null || listing.tags.length > 0,
    areLong: true,
  };
}

function conditions(projectId: number, { archived, kind, createdBy, ...listing }: DefinitionListing): Prisma.Sql {
  const { search, tags, tagMatch } = listing;
  const parts = [
    Prisma.sql`r.project_id = ${projectId}`,
    archived ? Prisma.sql`r.archived` : Prisma.sql`NOT r.archived`,
  ];
  if (kind !== null) parts.push(Prisma.sql`r.kind = ${kind}`);
  if (createdBy !== null) parts.push(Prisma.sql`r.created_by_id = ${createdBy}`);
  if (search !== null) {
    const [inName, inDescription] = [columns.name, Prisma.sql`r.description`].map((column) =>
      containsTextInAnyCase(column, search),
    );
    parts.push(Prisma.sql`(${inName} OR ${inDescription})`);
  }
  if (tags.length > 0)
    parts.push(
      tagMatch === 'all' ? Prisma.sql`r.tags @> ${[...tags]}::text[]` : Prisma.sql`r.tags && ${[...tags]}::text[]`,
    );
  return Prisma.join(parts, ' AND ');
}

const columns: Readonly<Record<DefinitionOrder | 'id', Prisma.Sql>> = {
  id: Prisma.sql`r.id`,
  name: Prisma.sql`r.name`,
  kind: Prisma.sql`r.kind`,
  created_at: Prisma.sql`r.created_at`,
  updated_at: Prisma.sql`r.updated_at`,
  current_version: Prisma.sql`r.current_version`,
};

/** The definitions of a statement, as `StoredDefinition`. */
function withVersions(definitions: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT d.id::text, d.project_id AS "projectId", d.name, d.short_name AS "shortName", d.description, d.kind, d.archived, d.tags, d.created_at AS "createdAt",
      d.updated_at AS "updatedAt", v.version AS "currentVersion", v.id::text AS "currentVersionId", v.config,
      ${userColumn('u')} AS "createdBy"
    FROM (${definitions}) d
    JOIN score_definition_versions v ON v.definition_id = d.id AND v.version = d.current_version
    LEFT JOIN users u ON u.id = d.created_by_id`;
}
