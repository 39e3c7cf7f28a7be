import { projectRoute } from '../../context.ts';
import { changeDefinition } from '../../definitions/change-definition.ts';
import { changeOf } from '../../definitions/change-of.ts';
import { loggedFields, withMembers } from '../../definitions/definition.ts';
import { EventDefinition, EventDefinitionChange, renderEvent } from './event-definition.ts';
import { EventDefinitionId, findEventDefinition } from './find-event-definition.ts';

export const updateEventDefinition = projectRoute({
  operationId: 'update_event_definition',
  method: 'patch',
  path: '/api/projects/:project_id/event_definitions/:definition_id',
  params: { definition_id: EventDefinitionId },
  access: { scope: 'event_definition:write' },
  tag: 'Definitions',
  summary: 'Describe, tag, verify or hide an event',
  description: '`verified` and `hidden` take each other back; both `true` at once is a 400.',
  body: EventDefinitionChange,
  responses: { 200: EventDefinition },
  find: findEventDefinition,
  async handler({ params, auth, context, body }) {
    const { definition_id: id } = params;
    return renderEvent(
      await changeDefinition(context, auth, {
        id,
        itemType: 'event_definition',
        find: (prisma) => findEventDefinition({ params, auth, context: { prisma } }),
        changeOf: (before, by) => changeOf(body, before, by),
        update: (prisma, data) => prisma.eventDefinition.update({ where: { id }, data, include: withMembers }),
        logged: loggedFields,
      }),
    );
  },
});
