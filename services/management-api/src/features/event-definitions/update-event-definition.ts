import { projectRoute } from '../../context.ts';
import { recordActivity } from '../../activity-log.ts';
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
    const now = new Date(context.clock.nowMs());
    const { userId } = auth.caller;
    return await context.prisma.$transaction(async (prisma) => {
      // One of two changes at once waits, so that what is written down as before is what was there before.
      await prisma.$queryRaw`SELECT FROM event_definitions WHERE id = ${params.definition_id}::uuid FOR NO KEY UPDATE`;
      const before = await findEventDefinition({ params, auth, context: { prisma } });
      const change = changeOf(body, before, { userId, now });
      if (Object.keys(change).length === 0) return renderEvent(before);
      const after = await prisma.eventDefinition.update({
        where: { id: before.id },
        data: { ...change, updatedAt: now, updatedById: userId },
        include: withMembers,
      });
      await recordActivity(prisma, auth.caller, {
        organizationId: auth.project.organizationId,
        projectId: auth.project.id,
        itemType: 'event_definition',
        itemId: before.id,
        activity: 'updated',
        before: loggedFields(before),
        after: loggedFields(after),
      });
      return renderEvent(after);
    });
  },
});
