import { String as StringType } from 'typebox';
import type { InsightVariable, User } from '@millrace/postgres/generated/client.ts';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { Context } from '../../context.ts';
import type { ProjectAccess } from '../../auth/granted-access.ts';

/** A variable in a path. A text that is no UUID is the id of none. */
export const VariableId = StringType({
  description: 'Id of the variable.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

interface NamedCall {
  params: { variable_id: string };
  auth: ProjectAccess;
  context: Context;
}

/** The variable of the path. @throws {AppError} not_found: unknown, or of another project */
export async function findVariable({
  params,
  auth,
  context,
}: NamedCall): Promise<InsightVariable & { createdBy: User | null }> {
  const where = { id: params.variable_id, projectId: auth.project.id };
  const found = isUuid(params.variable_id)
    ? await context.prisma.insightVariable.findFirst({ where, include: { createdBy: true } })
    : null;
  if (found === null) throw notFound('This project has no variable with the id', params.variable_id);
  return found;
}
