import { isModelId, type PropertyType } from '@millrace/contracts/property-types.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { projectRoute } from '../../context.ts';
import { changeDefinition } from '../../definitions/change-definition.ts';
import { changeOf } from '../../definitions/change-of.ts';
import { withMembers } from '../../definitions/definition.ts';
import { findPropertyDefinition, PropertyDefinitionId } from './find-property-definition.ts';
import { loggedProperty, PropertyDefinition, PropertyDefinitionChange, renderProperty } from './property-definition.ts';
import { noValues } from './value-counts.ts';

// Values that were met before would settle the same type again.
const unsettled = { propertyType: null, firstValueAt: null, ...noValues() };

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
    const { definition_id: id } = params;
    const { property_type: type } = body;
    const after = await changeDefinition(context, auth, {
      id,
      itemType: 'property_definition',
      find: (prisma) => findPropertyDefinition({ params, auth, context: { prisma } }),
      changeOf: (before, by) => ({
        ...changeOf(body, before, by),
        ...(typeof type === 'string' && { propertyType: settable(before.name, type) }),
        // Counts that consumers took before do not count any more.
        ...(type === null && { ...unsettled, reopenings: (before.reopenings ?? 0) + 1 }),
      }),
      update: (prisma, data) => prisma.propertyDefinition.update({ where: { id }, data, include: withMembers }),
      logged: loggedProperty,
    });
    // The change feed brings it to other processes; the caller's next query may come before.
    if (type !== undefined)
      context.projectNames.invalidate([{ topic: 'property_type', projectId: auth.project.id, keys: [] }]);
    return renderProperty(after);
  },
});

/** The type, for a property that can have it: queries read ids of calls of language models as texts whatever it is. */
function settable(name: string, type: PropertyType): PropertyType {
  if (type === 'String' || !isModelId(name)) return type;
  throw new AppError('invalid_input', { attr: 'property_type', detail: `${name} is always a String.` });
}
