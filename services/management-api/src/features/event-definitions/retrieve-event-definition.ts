import { Object as ObjectType, String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { projectRoute } from '../../context.ts';
import { withMembers } from '../../definitions/definition.ts';
import { EventDefinition, renderEvent } from './event-definition.ts';
import { EventDefinitionId, findEventDefinition } from './find-event-definition.ts';

export const retrieveEventDefinition = projectRoute({
  operationId: 'retrieve_event_definition',
  method: 'get',
  path: '/api/projects/:project_id/event_definitions/:definition_id',
  params: { definition_id: EventDefinitionId },
  access: { scope: 'event_definition:read' },
  tag: 'Definitions',
  summary: 'Show an event definition',
  responses: { 200: EventDefinition },
  find: findEventDefinition,
  handler: ({ found }) => renderEvent(found),
});

export const retrieveEventDefinitionByName = projectRoute({
  operationId: 'retrieve_event_definition_by_name',
  method: 'get',
  path: '/api/projects/:project_id/event_definitions/by_name',
  access: { scope: 'event_definition:read' },
  tag: 'Definitions',
  summary: 'Show the definition of an event name',
  query: ObjectType({ name: StringType({ description: 'The whole name of the event.', examples: ['signed_up'] }) }),
  responses: { 200: EventDefinition },
  errors: ['not_found'],
  async handler({ auth, context, query }) {
    const found = await context.prisma.eventDefinition.findUnique({
      where: { projectId_name: { projectId: auth.project.id, name: query.name } },
      include: withMembers,
    });
    if (found === null) throw notFound('This project has no event with the name', query.name);
    return renderEvent(found);
  },
});
