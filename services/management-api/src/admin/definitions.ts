import { propertyOwners, type PropertyType } from '@millrace/contracts/property-types.ts';
import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { allOf, nameHasWords } from '../definitions/definition-queries.ts';
import { wordsOf } from '../definitions/list-parameters.ts';
import { noInstruction } from '../definitions/no-instruction.ts';
import { countsOf, countUnfit } from '../features/property-definitions/value-counts.ts';
import { requireChoice, requireProject } from './checks.ts';

interface NamesOfProject {
  projectId: number;
  /** Words that a name contains, in whatever case and order. */
  search?: string | undefined;
}

interface SeenRow {
  name: string;
  first_seen_at: Date;
  last_seen_at: Date;
}

type ListedProperty = SeenRow & { owner: string; property_type: PropertyType | null } & Parameters<typeof countsOf>[0];

/** Names and types that the consumer has learned. They are bounded for each project (`learnedNamesMax`). */
export function createDefinitionAdmin(prisma: PrismaClient) {
  return {
    /** The events of a project, by name. */
    async listEvents({ projectId, search = '' }: NamesOfProject) {
      await requireProject(prisma, projectId);
      const conditions = allOf([Prisma.sql`d.project_id = ${projectId}`, ...nameHasWords(wordsOf(search))]);
      const rows = await prisma.$queryRaw<SeenRow[]>`
        SELECT d.name, d.first_seen_at, d.last_seen_at FROM event_definitions d WHERE ${conditions} ORDER BY d.name`;
      return rows.map(seen);
    },

    /** The properties of a project's events, persons and groups, or of one `type` of them, by owner and name. */
    async listProperties({ projectId, search = '', type }: NamesOfProject & { type?: string | undefined }) {
      await requireProject(prisma, projectId);
      if (type !== undefined) requireChoice('type', type, propertyOwners);
      const conditions = allOf([
        Prisma.sql`d.project_id = ${projectId}`,
        noInstruction,
        ...(type === undefined ? [] : [Prisma.sql`d.type = ${type}`]),
        ...nameHasWords(wordsOf(search)),
      ]);
      const rows = await prisma.$queryRaw<ListedProperty[]>`
        SELECT CASE d.type WHEN 'group' THEN 'group_' || d.group_type_index ELSE d.type END AS owner, d.name,
          d.property_type, d.first_seen_at, d.last_seen_at, d.numbers, d.booleans, d.times, d.texts, d.lists, d.objects
        FROM property_definitions d WHERE ${conditions} ORDER BY d.type, d.group_type_index, d.name`;
      return rows.map((row) => ({
        owner: row.owner,
        type: row.property_type,
        ...seen(row),
        unfitValues: countUnfit(row.property_type, countsOf(row)),
      }));
    },
  };
}

const seen = ({ name, first_seen_at: first, last_seen_at: last }: SeenRow) => ({
  name,
  firstSeenAt: first.toISOString(),
  lastSeenAt: last.toISOString(),
});
