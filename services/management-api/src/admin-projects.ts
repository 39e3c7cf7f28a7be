import { AppError } from '@millrace/http/errors.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { randomToken } from '@millrace/runtime/ids.ts';

const hourMs = 3_600_000;
/** Longer than any event waits in the log: the consumer may still have to find the project of an old token. */
const keptAfterMs = 7 * 24 * hourMs;

/** What the command line does to projects that are there. Running services hear of it within seconds, by the bus. */
export function createProjectAdmin(prisma: PrismaClient, clock: Clock) {
  return {
    /** All projects that are not deleted, by id. */
    async listProjects() {
      const projects = await prisma.project.findMany({ where: { deletedAt: null }, orderBy: { id: 'asc' } });
      return projects.map(({ id, name, organizationId, apiToken, createdAt }) => ({
        projectId: id,
        name,
        organizationId,
        projectToken: apiToken,
        createdAt: createdAt.toISOString(),
      }));
    },

    /** A new token; the old one works for `graceHours` more (contract/capture 1.6). */
    async rotateToken({ projectId, graceHours }: { projectId: number; graceHours: number }) {
      const projectToken = randomToken('phc_', 32);
      const nowMs = clock.nowMs();
      const validUntil = new Date(nowMs + graceHours * hourMs);
      const oldToken = await prisma.$transaction(async (transaction) => {
        const { apiToken } = await requireProject(transaction, projectId);
        // Of two who rotate at once, the second must not forget the token that the first has just made.
        const { count } = await transaction.project.updateMany({ where: { id: projectId, apiToken, deletedAt: null }, data: { apiToken: projectToken } });
        if (count === 0) throw new AppError('invalid_input', { detail: `The token of project ${projectId} was changed at the same moment. Nothing was done.` });
        await transaction.previousProjectToken.deleteMany({ where: { validUntil: { lt: new Date(nowMs - keptAfterMs) } } });
        await transaction.previousProjectToken.create({ data: { token: apiToken, projectId, validUntil } });
        return apiToken;
      });
      return { projectId, projectToken, previousToken: oldToken, previousTokenValidUntil: validUntil.toISOString() };
    },

    /** What is done with its events; what is not given stays as it is. */
    async setProject({ projectId, ...wanted }: { projectId: number; anonymizeIps?: boolean; allowDangerousMerges?: boolean }) {
      await requireProject(prisma, projectId);
      const { anonymizeIps, allowDangerousMerges } = await prisma.project.update({ where: { id: projectId }, data: wanted });
      return { projectId, anonymizeIps, allowDangerousMerges };
    },

    /** From now on its tokens are refused and its address is not found. What is stored of it stays stored. */
    async deleteProject({ projectId }: { projectId: number }): Promise<{ projectId: number }> {
      await requireProject(prisma, projectId);
      await prisma.$transaction([
        prisma.project.update({ where: { id: projectId }, data: { deletedAt: new Date(clock.nowMs()) } }),
        prisma.user.updateMany({ where: { currentProjectId: projectId }, data: { currentProjectId: null } }),
      ]);
      return { projectId };
    },
  };
}

/** @throws {AppError} when there is no such project. */
export async function requireProject(prisma: Pick<PrismaClient, 'project'>, projectId: number): Promise<{ apiToken: string }> {
  const project = await prisma.project.findFirst({ where: { id: projectId, deletedAt: null }, select: { apiToken: true } });
  if (project === null) throw new AppError('does_not_exist', { attr: 'project', detail: `There is no project with the id ${projectId}.` });
  return project;
}
