import { String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { ErrorTrackingIssue, Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../../../context.ts';

/** An issue in a path. A text that is no UUID is the id of none. */
export const IssueId = StringType({
  description: 'Id of the issue.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});

interface NamedCall {
  params: { issue_id: string };
  auth: Pick<ProjectAccess, 'project'>;
  context: Pick<Context, 'prisma'>;
}

/** The issue of the path. @throws {AppError} not_found: unknown, merged into another, or of another project */
export async function findIssue({ params, auth, context }: NamedCall): Promise<ErrorTrackingIssue> {
  return (await readIssue(context.prisma, auth.project.id, params.issue_id)) ?? raiseNoIssue(params.issue_id);
}

/** Null: the project has none with this id. */
export async function readIssue(
  prisma: Pick<PrismaClient, 'errorTrackingIssue'>,
  projectId: number,
  id: string,
): Promise<ErrorTrackingIssue | null> {
  const where = { id: id.toLowerCase(), projectId };
  return isUuid(id) ? await prisma.errorTrackingIssue.findFirst({ where }) : null;
}

/** The issues of these ids that the project has, for a transaction that changes them: of two at once one waits, always for the same one first. */
export async function lockIssues(
  prisma: Prisma.TransactionClient,
  projectId: number,
  ids: readonly string[],
): Promise<ErrorTrackingIssue[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  await prisma.$queryRaw`
    SELECT FROM error_tracking_issues WHERE id = ANY(${wanted}::uuid[]) AND project_id = ${projectId} ORDER BY id FOR UPDATE`;
  return await prisma.errorTrackingIssue.findMany({ where: { id: { in: wanted }, projectId }, orderBy: { id: 'asc' } });
}

/** The same for one. @throws {AppError} not_found */
export async function lockIssue(
  prisma: Prisma.TransactionClient,
  projectId: number,
  id: string,
): Promise<ErrorTrackingIssue> {
  const [found] = await lockIssues(prisma, projectId, [id]);
  return found ?? raiseNoIssue(id);
}

/** @throws {AppError} not_found */
export function raiseNoIssue(id: string): never {
  throw notFound('This project has no issue with the id', id);
}
