import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../context.ts';
import { withMembers } from '../../definitions/definition.ts';
import { inOrder, rowsMax } from '../../definitions/definition-queries.ts';
import { PropertyDefinition, renderProperty } from './property-definition.ts';
import { PropertyDefinitionQuery, readPropertyQuery } from './property-listing.ts';
import { countProperties, propertyPage, type FoundProperty } from './property-queries.ts';

export const listPropertyDefinitions = projectRoute({
  operationId: 'list_property_definitions',
  method: 'get',
  path: '/api/projects/:project_id/property_definitions',
  access: { scope: 'property_definition:read' },
  tag: 'Definitions',
  summary: 'List or search the properties of the events, persons or groups of a project',
  description: 'A property is there some seconds after its first event. A page has at most 1000 rows.',
  query: PropertyDefinitionQuery,
  responses: { 200: pageOf(PropertyDefinition) },
  async handler({ auth: { project }, context: { prisma, baseUrl }, query, request }) {
    const page = readPage(query, rowsMax);
    const listing = readPropertyQuery(query, request.url);
    const [found, [counted]] = await Promise.all([
      prisma.$queryRaw<FoundProperty[]>(propertyPage(project.id, listing, page)),
      prisma.$queryRaw<{ count: number }[]>(countProperties(project.id, listing)),
    ]);
    const seen = new Map(found.map(({ id, is_seen: isSeen }) => [id, isSeen]));
    const ids = [...seen.keys()];
    const rows = await prisma.propertyDefinition.findMany({ where: { id: { in: ids } }, include: withMembers });
    const results = inOrder(ids, rows).map((row) => renderProperty(row, seen.get(row.id) ?? null));
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, counted?.count ?? 0, results);
  },
});
