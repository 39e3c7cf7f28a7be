import type { InsightVariable, User } from '@millrace/postgres/generated/client.ts';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { Context } from '../../context.ts';
import type { ProjectAccess } from '../../auth/granted-access.ts';

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
