import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../context.ts';
import { withMembers } from '../../definitions/definition.ts';
import { inOrder, rowsMax } from '../../definitions/definition-queries.ts';
import { EventDefinition, renderEvent } from './event-definition.ts';
import { EventDefinitionQuery, readEventQuery } from './event-listing.ts';
import { countEvents, eventPage } from './event-queries.ts';

export const listEventDefinitions = projectRoute({
  operationId: 'list_event_definitions',
  method: 'get',
  path: '/api/projects/:project_id/event_definitions',
  access: { scope: 'event_definition:read' },
  tag: 'Definitions',
  summary: 'List or search the names of the events that a project has sent',
  description: 'A name is there some seconds after its first event. A page has at most 1000 rows.',
  query: EventDefinitionQuery,
  responses: { 200: pageOf(EventDefinition) },
  async handler({ auth: { project }, context: { prisma, baseUrl }, query, request }) {
    const page = readPage(query, rowsMax);
    const listing = readEventQuery(query, request.url);
    const [found, [counted]] = await Promise.all([
      prisma.$queryRaw<{ id: string }[]>(eventPage(project.id, listing, page)),
      prisma.$queryRaw<{ count: number }[]>(countEvents(project.id, listing)),
    ]);
    const ids = found.map(({ id }) => id);
    const rows = await prisma.eventDefinition.findMany({ where: { id: { in: ids } }, include: withMembers });
    const results = inOrder(ids, rows).map(renderEvent);
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, counted?.count ?? 0, results);
  },
});
