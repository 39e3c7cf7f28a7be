import { String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { Prisma, PrismaClient, SuppressionRule } from '@millrace/postgres/generated/client.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../../../context.ts';

/** A rule in a path. A text that is no UUID is the id of none. */
export const RuleId = StringType({
  description: 'Id of the suppression rule.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

interface NamedCall {
  params: { rule_id: string };
  auth: Pick<ProjectAccess, 'project'>;
  context: Pick<Context, 'prisma'>;
}

/** The rule of the path. @throws {AppError} not_found: unknown, or of another project */
export async function findSuppressionRule({
  params: { rule_id: id },
  auth,
  context,
}: NamedCall): Promise<SuppressionRule> {
  return await readRule(context.prisma, auth.project.id, id);
}

/** The same for a transaction that changes the rule: of two at once one waits. @throws {AppError} not_found */
export async function lockRule(
  prisma: Prisma.TransactionClient,
  projectId: number,
  id: string,
): Promise<SuppressionRule> {
  await prisma.$queryRaw`SELECT FROM suppression_rules WHERE id = ${id}::uuid AND project_id = ${projectId} FOR UPDATE`;
  return await readRule(prisma, projectId, id);
}

async function readRule(
  prisma: Pick<PrismaClient, 'suppressionRule'>,
  projectId: number,
  id: string,
): Promise<SuppressionRule> {
  const where = { id: id.toLowerCase(), projectId };
  const found = isUuid(id) ? await prisma.suppressionRule.findFirst({ where }) : null;
  if (found === null) throw notFound('This project has no suppression rule with the id', id);
  return found;
}
