import { periodOf, quotaPeriods, quotaResources } from '@millrace/contracts/project-limits.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { requireChoice, requireProject } from './checks.ts';
import { onlyOf, recordLimit } from './limits.ts';

export interface WantedQuota {
  projectId: number;
  resource: string;
  limit: number;
  period: string;
}

/** Quotas (contract/capture 1.11). Running services obey within seconds, by the change feed. */
export function createQuotaAdmin(prisma: PrismaClient, clock: Clock) {
  return {
    /** Sets a project's quota for a kind of events, in place of the one it had. What is used in the period stays used. */
    async setQuota({ projectId, resource, limit, period }: WantedQuota) {
      const project = await requireProject(prisma, projectId);
      requireChoice('resource', resource, quotaResources);
      requireChoice('period', period, quotaPeriods);
      if (!Number.isSafeInteger(limit) || limit < 0)
        throw new AppError('invalid_input', {
          attr: 'limit',
          detail: `The limit must be a whole number of events, 0 or more, not ${limit}.`,
        });
      const key = { projectId_resource: { projectId, resource } };
      await prisma.$transaction(async (transaction) => {
        const before = await transaction.quota.findUnique({ where: key });
        await transaction.quota.upsert({
          where: key,
          create: { projectId, resource, limit, period },
          update: { limit, period },
        });
        const was = before && { limit: Number(before.limit), period: before.period };
        await recordLimit(transaction, project, {
          itemType: 'quota',
          itemId: resource,
          after: { limit, period },
          ...(was ? { activity: 'updated', before: was } : { activity: 'created' }),
        });
      });
      return { projectId, resource, limit, period };
    },

    /** The quotas, each with its use in the current period. */
    async listQuotas({ projectId }: { projectId?: number | undefined } = {}) {
      const quotas = await prisma.quota.findMany({
        where: onlyOf(projectId),
        orderBy: [{ projectId: 'asc' }, { resource: 'asc' }],
      });
      const nowMs = clock.nowMs();
      const starts = quotaPeriods.map((period) => new Date(periodOf(period, nowMs).periodStart));
      const usage = await prisma.quotaUsage.findMany({ where: { ...onlyOf(projectId), periodStart: { in: starts } } });
      return quotas.map(({ projectId: id, resource, limit, period }) => {
        const { periodStart } = periodOf(period === 'day' ? 'day' : 'month', nowMs);
        const row = usage.find(
          (one) =>
            one.projectId === id && one.resource === resource && one.periodStart.toISOString().startsWith(periodStart),
        );
        return { projectId: id, resource, limit: Number(limit), period, used: Number(row?.used ?? 0), periodStart };
      });
    },

    async removeQuota({
      projectId,
      resource,
    }: {
      projectId: number;
      resource: string;
    }): Promise<{ projectId: number; resource: string }> {
      await prisma.$transaction(async (transaction) => {
        const quota = await transaction.quota.findUnique({
          where: { projectId_resource: { projectId, resource } },
          include: { project: true },
        });
        if (quota === null)
          throw new AppError('not_found', { detail: `Project ${projectId} has no quota for ${resource}.` });
        await transaction.quota.delete({ where: { projectId_resource: { projectId, resource } } });
        await transaction.quotaUsage.deleteMany({ where: { projectId, resource } });
        const before = { limit: Number(quota.limit), period: quota.period };
        await recordLimit(transaction, quota.project, {
          itemType: 'quota',
          itemId: resource,
          activity: 'deleted',
          before,
        });
      });
      return { projectId, resource };
    },
  };
}
