import type { Page } from '@millrace/http/pagination.ts';
import type { Prisma, PrismaClient, Project } from '@millrace/postgres/generated/client.ts';

/** One page of projects, by number, and the count of all that match. */
export async function readProjects(
  prisma: Pick<PrismaClient, 'project'>,
  where: Prisma.ProjectWhereInput,
  { limit, offset }: Page,
): Promise<{ count: number; projects: Project[] }> {
  const [count, projects] = await Promise.all([
    prisma.project.count({ where }),
    prisma.project.findMany({ where, orderBy: { id: 'asc' }, take: limit, skip: offset }),
  ]);
  return { count, projects };
}
