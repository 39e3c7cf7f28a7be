import { definitionFinder, definitionId } from '../../definitions/definition-finder.ts';
import { withMembers } from '../../definitions/definition.ts';

/** An event definition in a path. */
export const EventDefinitionId = definitionId('event');

/** The event definition of the path. @throws {AppError} not_found: unknown, or of another project */
export const findEventDefinition = definitionFinder('event', (prisma, where) =>
  prisma.eventDefinition.findFirst({ where, include: withMembers }),
);
