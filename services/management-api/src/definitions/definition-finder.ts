import { String as StringType, type TString } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { ProjectAccess } from '../auth/granted-access.ts';
import type { Context } from '../context.ts';

type Kind = 'event' | 'property';
type Definitions = Pick<Context['prisma'], 'eventDefinition' | 'propertyDefinition'>;

interface NamedCall {
  params: { definition_id: string };
  auth: ProjectAccess;
  context: { prisma: Definitions };
}

/** The id of a definition in a path. A text that is no UUID is the id of none. */
export function definitionId(kind: Kind): TString {
  return StringType({
    description: `Id of the ${kind} definition.`,
    examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
  });
}

/** Finds the definition of a path, which throws `AppError` not_found when it is unknown, or of another project. */
export function definitionFinder<Row>(
  kind: Kind,
  findFirst: (prisma: Definitions, where: { id: string; projectId: number }) => Promise<Row | null>,
): (call: NamedCall) => Promise<Row> {
  return async ({ params: { definition_id: id }, auth, context: { prisma } }) => {
    const found = isUuid(id) ? await findFirst(prisma, { id, projectId: auth.project.id }) : null;
    if (found === null) throw notFound(`This project has no ${kind} definition with the id`, id);
    return found;
  };
}
