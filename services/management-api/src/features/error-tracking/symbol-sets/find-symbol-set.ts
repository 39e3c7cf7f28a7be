import { String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../../../context.ts';
import { withRelease, type StoredSet } from './symbol-set.ts';

/** A symbol set in a path. A text that is no UUID is the id of none. */
export const SymbolSetId = StringType({
  description: 'Id of the symbol set.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

interface NamedCall {
  params: { symbol_set_id: string };
  auth: Pick<ProjectAccess, 'project'>;
  context: Pick<Context, 'prisma'>;
}

/** The set of the path. @throws {AppError} not_found: unknown, or of another project */
export async function findSymbolSet({ params, auth, context: { prisma } }: NamedCall): Promise<StoredSet> {
  const { symbol_set_id: id } = params;
  const where = { id: id.toLowerCase(), projectId: auth.project.id };
  return (isUuid(id) ? await prisma.symbolSet.findFirst({ where, ...withRelease }) : null) ?? raiseNoSet(id);
}

/** @throws {AppError} not_found */
export function raiseNoSet(id: string): never {
  throw notFound('This project has no symbol set with the id', id);
}
