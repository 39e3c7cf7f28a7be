import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { timezoneOf } from '../features/projects/time-zone.ts';
import { tagsOf } from '../tag-list.ts';
import { changeProject, makeProject, removeProject, rotateToken } from '../features/projects/project-store.ts';
import { requireOrganization, requireProject, requireText } from './checks.ts';

const hourMs = 3_600_000;

/** Operations of the command line on projects. Running services obey within seconds, by the change feed. */
export function createProjectAdmin(prisma: PrismaClient, clock: Clock) {
  return {
    /** Members of the organization who have no current project get this one. */
    async createProject({
      organizationId,
      name,
      timezone,
    }: {
      organizationId: string;
      name: string;
      timezone?: string;
    }): Promise<{ projectId: number; projectToken: string }> {
      await requireOrganization(prisma, organizationId);
      const wanted = { organizationId, name: requireText('name', name, 200) };
      const zone = timezone === undefined ? {} : { timezone: timezoneOf(timezone) };
      const project = await prisma.$transaction((transaction) =>
        makeProject(transaction, 'command line', { ...wanted, ...zone }, clock.nowMs()),
      );
      return { projectId: project.id, projectToken: project.apiToken };
    },

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

    /** The project, when it is there and not deleted. */
    async findProject({ projectId }: { projectId: number }): Promise<{ projectId: number; name: string }> {
      const { name } = await requireProject(prisma, projectId);
      return { projectId, name };
    },

    /** A new token; the old one works for `graceHours` more (contract/capture 1.6). */
    async rotateToken({ projectId, graceHours }: { projectId: number; graceHours: number }) {
      await requireProject(prisma, projectId);
      const times = { graceMs: graceHours * hourMs, nowMs: clock.nowMs() };
      const { project, previousToken, validUntil } = await prisma.$transaction((transaction) =>
        rotateToken(transaction, 'command line', projectId, times),
      );
      return {
        projectId,
        projectToken: project.apiToken,
        previousToken,
        previousTokenValidUntil: validUntil.toISOString(),
      };
    },

    /** Changes the treatment of its events; a field that is not given stays. */
    async setProject({
      projectId,
      ...wanted
    }: {
      projectId: number;
      anonymizeIps?: boolean;
      allowDangerousMerges?: boolean;
    }) {
      await requireProject(prisma, projectId);
      const changed = await prisma.$transaction((transaction) =>
        changeProject(transaction, 'command line', projectId, wanted),
      );
      return { projectId, anonymizeIps: changed.anonymizeIps, allowDangerousMerges: changed.allowDangerousMerges };
    },

    /** Changes name, time zone, tags and visibility; values that are not given stay. */
    async updateProject({
      projectId,
      ...wanted
    }: {
      projectId: number;
      name?: string;
      timezone?: string;
      tags?: readonly string[];
      isPrivate?: boolean;
      isDemo?: boolean;
    }) {
      await requireProject(prisma, projectId);
      const data: Prisma.ProjectUpdateInput = {
        ...(wanted.name === undefined ? {} : { name: requireText('name', wanted.name, 200) }),
        ...(wanted.timezone === undefined ? {} : { timezone: timezoneOf(wanted.timezone) }),
        ...(wanted.tags === undefined ? {} : { tags: tagsOf(wanted.tags) }),
        ...(wanted.isPrivate === undefined ? {} : { accessControl: wanted.isPrivate }),
        ...(wanted.isDemo === undefined ? {} : { isDemo: wanted.isDemo }),
      };
      const changed = await prisma.$transaction((transaction) =>
        changeProject(transaction, 'command line', projectId, data),
      );
      return {
        projectId,
        name: changed.name,
        timezone: changed.timezone,
        tags: changed.tags,
        isPrivate: changed.accessControl,
        isDemo: changed.isDemo,
      };
    },

    /** From now on its tokens are refused and its address is not found. What is stored of it stays stored. */
    async deleteProject({ projectId }: { projectId: number }): Promise<{ projectId: number }> {
      await requireProject(prisma, projectId);
      await prisma.$transaction((transaction) => removeProject(transaction, 'command line', projectId, clock.nowMs()));
      return { projectId };
    },
  };
}
