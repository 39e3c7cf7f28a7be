import { definitionFinder, definitionId } from '../../definitions/definition-finder.ts';
import { withMembers } from '../../definitions/definition.ts';

/** A property definition in a path. */
export const PropertyDefinitionId = definitionId('property');

/** The property definition of the path. @throws {AppError} not_found: unknown, or of another project */
export const findPropertyDefinition = definitionFinder('property', (prisma, where) =>
  prisma.propertyDefinition.findFirst({ where, include: withMembers }),
);
