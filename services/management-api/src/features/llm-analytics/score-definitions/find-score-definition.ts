import { String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../../../context.ts';
import { readDefinition } from './definition-queries.ts';
import type { StoredDefinition } from './stored-definition.ts';

/** A definition in a path. A text that is no UUID is the id of none. */
export const DefinitionId = StringType({
  description: 'Id of the score definition.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

interface NamedCall {
  params: { definition_id: string };
  auth: Pick<ProjectAccess, 'project'>;
  context: Pick<Context, 'prisma'>;
}

/** The definition of the path. @throws {AppError} not_found: unknown, or of another project */
export async function findScoreDefinition({ params, auth, context }: NamedCall): Promise<StoredDefinition> {
  const { definition_id: id } = params;
  return (isUuid(id) ? await readDefinition(context.prisma, auth.project.id, id) : null) ?? raiseNotFound(id);
}

/** @throws {AppError} not_found */
export function raiseNotFound(id: string): never {
  throw notFound('This project has no score definition with the id', id);
}
