import { projectRoute } from '../../context.ts';
import { findPropertyDefinition, PropertyDefinitionId } from './find-property-definition.ts';
import { PropertyDefinition, renderProperty } from './property-definition.ts';

export const retrievePropertyDefinition = projectRoute({
  operationId: 'retrieve_property_definition',
  method: 'get',
  path: '/api/projects/:project_id/property_definitions/:definition_id',
  params: { definition_id: PropertyDefinitionId },
  access: { scope: 'property_definition:read' },
  tag: 'Definitions',
  summary: 'Show a property definition',
  responses: { 200: PropertyDefinition },
  find: findPropertyDefinition,
  handler: ({ found }) => renderProperty(found),
});
