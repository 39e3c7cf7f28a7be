import { String as StringType } from 'typebox';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { ProjectAccess } from '../../auth/granted-access.ts';
import type { Context } from '../../context.ts';
import { withMembers } from '../../definitions/definition.ts';

/** A property definition in a path. A text that is no UUID is the id of none. */
export const PropertyDefinitionId = StringType({
  description: 'Id of the property definition.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

type FoundProperty = Prisma.PropertyDefinitionGetPayload<{ include: typeof withMembers }>;

interface NamedCall {
  params: { definition_id: string };
  auth: ProjectAccess;
  context: { prisma: Pick<Context['prisma'], 'propertyDefinition'> };
}

/** The property definition of the path. @throws {AppError} not_found: unknown, or of another project */
export async function findPropertyDefinition({ params, auth, context: { prisma } }: NamedCall): Promise<FoundProperty> {
  const found = isUuid(params.definition_id)
    ? await prisma.propertyDefinition.findFirst({
        where: { id: params.definition_id, projectId: auth.project.id },
        include: withMembers,
      })
    : null;
  if (found === null) throw notFound('This project has no property definition with the id', params.definition_id);
  return found;
}
