import { projectRoute } from '../../context.ts';
import { recordActivity } from '../../activity-log.ts';
import { changeOf } from '../../definitions/change-of.ts';
import { withMembers } from '../../definitions/definition.ts';
import { findPropertyDefinition, PropertyDefinitionId } from './find-property-definition.ts';
import { loggedProperty, PropertyDefinition, PropertyDefinitionChange, renderProperty } from './property-definition.ts';

// Values that were met before would settle the same type again.
const unsettled = {
  propertyType: null,
  firstValueAt: null,
  ...{ numbers: 0, booleans: 0, times: 0, texts: 0, lists: 0, objects: 0 },
};

export const updatePropertyDefinition = projectRoute({
  operationId: 'update_property_definition',
  method: 'patch',
  path: '/api/projects/:project_id/property_definitions/:definition_id',
  params: { definition_id: PropertyDefinitionId },
  access: { scope: 'property_definition:write' },
  tag: 'Definitions',
  summary: 'Set the type of a property, or describe, tag, verify or hide it',
  description:
    'A new `property_type` holds for queries from then on; a version of an endpoint keeps the types with which it was made. `verified` and `hidden` take each other back; both `true` at once is a 400.',
  body: PropertyDefinitionChange,
  responses: { 200: PropertyDefinition },
  find: findPropertyDefinition,
  async handler({ params, auth, context, body }) {
    const now = new Date(context.clock.nowMs());
    const { userId } = auth.caller;
    const { property_type: type } = body;
    const shown = await context.prisma.$transaction(async (prisma) => {
      // One of two changes at once waits, so that what is written down as before is what was there before.
      await prisma.$queryRaw`SELECT FROM property_definitions WHERE id = ${params.definition_id}::uuid FOR NO KEY UPDATE`;
      const before = await findPropertyDefinition({ params, auth, context: { prisma } });
      const change = {
        ...changeOf(body, before, { userId, now }),
        // Counts that consumers took before do not count any more.
        ...(type === null && { ...unsettled, reopenings: (before.reopenings ?? 0) + 1 }),
        ...(typeof type === 'string' && { propertyType: type }),
      };
      if (Object.keys(change).length === 0) return renderProperty(before);
      const after = await prisma.propertyDefinition.update({
        where: { id: before.id },
        data: { ...change, updatedAt: now, updatedById: userId },
        include: withMembers,
      });
      await recordActivity(prisma, auth.caller, {
        organizationId: auth.project.organizationId,
        projectId: auth.project.id,
        itemType: 'property_definition',
        itemId: before.id,
        activity: 'updated',
        before: loggedProperty(before),
        after: loggedProperty(after),
      });
      return renderProperty(after);
    });
    // The change feed brings it to other processes; the caller's next query may come before.
    if (type !== undefined) context.projectNames.clear();
    return shown;
  },
});
