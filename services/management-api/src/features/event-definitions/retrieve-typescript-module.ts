import { Integer, Object as ObjectType, String as StringType } from 'typebox';
import type { PropertyType } from '@millrace/contracts/property-types.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { projectRoute } from '../../context.ts';
import { escapeLike } from '../../database/like-pattern.ts';
import { plainCoreProperties } from '../../definitions/core-properties.ts';
import { instructions } from '../../definitions/no-instruction.ts';
import { generatorVersion, typescriptModule, type TypedEvent } from './typescript-module.ts';

const TypescriptDefinitions = ObjectType(
  {
    content: StringType({
      description: 'A module in TypeScript.',
      examples: ['export interface EventSchemas {\n  "signed_up": {\n    "plan"?: string;\n  };\n}\n'],
    }),
    event_count: Integer({ minimum: 0 }),
    schema_hash: StringType({
      description: 'The same as long as the content is.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    generator_version: StringType({ examples: [generatorVersion] }),
  },
  { title: 'TypescriptDefinitions' },
);

export const retrieveTypescriptModule = projectRoute({
  operationId: 'retrieve_typescript_module',
  method: 'get',
  path: '/api/projects/:project_id/event_definitions/typescript',
  access: { scope: 'event_definition:read' },
  tag: 'Definitions',
  summary: 'Show the events of a project and their properties as types in TypeScript',
  description: 'Without hidden ones, and without those that SDKs send by themselves.',
  responses: { 200: TypescriptDefinitions },
  async handler({ auth, context }) {
    const events = await readEvents(context.prisma, auth.project.id);
    const { content, schemaHash } = typescriptModule(events);
    return { content, event_count: events.length, schema_hash: schemaHash, generator_version: generatorVersion };
  },
});

interface PairRow {
  event: string;
  name: string;
  type: PropertyType | null;
}

async function readEvents(prisma: PrismaClient, projectId: number): Promise<TypedEvent[]> {
  const leftOut = [...plainCoreProperties, ...instructions];
  const [events, pairs] = await Promise.all([
    prisma.eventDefinition.findMany({
      where: { projectId, hidden: false, NOT: { name: { startsWith: escapeLike('$') } } },
      select: { name: true },
    }),
    prisma.$queryRaw<PairRow[]>`
      SELECT e.event, d.name, d.property_type AS type FROM event_properties e
      JOIN property_definitions d
        ON d.project_id = e.project_id AND d.type = 'event' AND d.group_type_index = -1 AND d.name = e.property
      WHERE e.project_id = ${projectId} AND NOT starts_with(e.event, '$') AND NOT starts_with(d.name, '$')
        AND NOT d.hidden AND d.name <> ALL(${leftOut}::text[])`,
  ]);
  const byEvent = Map.groupBy(pairs, ({ event }) => event);
  return events.map(({ name }) => ({
    name,
    properties: (byEvent.get(name) ?? []).map((pair) => ({ name: pair.name, type: pair.type })),
  }));
}
