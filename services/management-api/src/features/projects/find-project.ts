import { AppError } from '@millrace/http/errors/errors.ts';
import type { PrismaClient, Project } from '@millrace/postgres/generated/client.ts';

/** The project as it is stored now. @throws {AppError} not_found when it was deleted at this moment */
export async function findProject(prisma: Pick<PrismaClient, 'project'>, id: number): Promise<Project> {
  const project = await prisma.project.findFirst({ where: { id, deletedAt: null } });
  if (project === null) throw new AppError('not_found', { detail: 'Project not found.' });
  return project;
}
