import { periodOf, quotaPeriods, quotaResources, restrictionActions } from '@millrace/contracts/project-limits.ts';
import { AppError } from '@millrace/http/errors.ts';
import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { recordActivity, type Activity } from '../activity-log.ts';
import { requireChoice, requireProject } from './checks.ts';

export interface WantedQuota {
  projectId: number;
  resource: string;
  limit: number;
  period: string;
}

/** An event must be in each list that is not empty; without any, all events of the project are meant. */
export interface WantedRestriction {
  projectId: number;
  action: string;
  distinctIds?: readonly string[];
  events?: readonly string[];
  sessionIds?: readonly string[];
  uuids?: readonly string[];
}

/** Quotas and restrictions (contract/capture 1.11). Running services obey within seconds: they hear of it by the bus. */
export function createLimitsAdmin(prisma: PrismaClient, clock: Clock) {
  return {
    /** Sets a project's quota for a kind of events, in place of the one it had. What is used in the period stays used. */
    async setQuota({ projectId, resource, limit, period }: WantedQuota) {
      const project = await requireProject(prisma, projectId);
      requireChoice('resource', resource, quotaResources);
      requireChoice('period', period, quotaPeriods);
      if (!Number.isSafeInteger(limit) || limit < 0) throw new AppError('invalid_input', { attr: 'limit', detail: `The limit must be a whole number of events, 0 or more, not ${limit}.` });
      const key = { projectId_resource: { projectId, resource } };
      await prisma.$transaction(async (transaction) => {
        const before = await transaction.quota.findUnique({ where: key });
        await transaction.quota.upsert({ where: key, create: { projectId, resource, limit, period }, update: { limit, period } });
        const was = before && { limit: Number(before.limit), period: before.period };
        await record(transaction, project, { itemType: 'quota', itemId: resource, after: { limit, period }, ...(was ? { activity: 'updated', before: was } : { activity: 'created' }) });
      });
      return { projectId, resource, limit, period };
    },

    /** With what was used of each in its present period. */
    async listQuotas({ projectId }: { projectId?: number | undefined } = {}) {
      const quotas = await prisma.quota.findMany({ where: onlyOf(projectId), orderBy: [{ projectId: 'asc' }, { resource: 'asc' }] });
      const nowMs = clock.nowMs();
      const starts = quotaPeriods.map((period) => new Date(periodOf(period, nowMs).periodStart));
      const usage = await prisma.quotaUsage.findMany({ where: { ...onlyOf(projectId), periodStart: { in: starts } } });
      return quotas.map(({ projectId: id, resource, limit, period }) => {
        const { periodStart } = periodOf(period === 'day' ? 'day' : 'month', nowMs);
        const row = usage.find((one) => one.projectId === id && one.resource === resource && one.periodStart.toISOString().startsWith(periodStart));
        return { projectId: id, resource, limit: Number(limit), period, used: Number(row?.used ?? 0), periodStart };
      });
    },

    async removeQuota({ projectId, resource }: { projectId: number; resource: string }): Promise<{ projectId: number; resource: string }> {
      await prisma.$transaction(async (transaction) => {
        const quota = await transaction.quota.findUnique({ where: { projectId_resource: { projectId, resource } }, include: { project: true } });
        if (quota === null) throw new AppError('not_found', { detail: `Project ${projectId} has no quota for ${resource}.` });
        await transaction.quota.delete({ where: { projectId_resource: { projectId, resource } } });
        await transaction.quotaUsage.deleteMany({ where: { projectId, resource } });
        const before = { limit: Number(quota.limit), period: quota.period };
        await record(transaction, quota.project, { itemType: 'quota', itemId: resource, activity: 'deleted', before });
      });
      return { projectId, resource };
    },

    async addRestriction(wanted: WantedRestriction) {
      const project = await requireProject(prisma, wanted.projectId);
      requireChoice('action', wanted.action, restrictionActions);
      const strange = wanted.uuids?.find((uuid) => !isUuid(uuid));
      if (strange !== undefined) throw new AppError('invalid_input', { attr: 'uuid', detail: `"${strange}" is not a UUID.` });
      const { projectId, action, distinctIds = [], events = [], sessionIds = [], uuids = [] } = wanted;
      const lists = { distinctIds: [...distinctIds], events: [...events], sessionIds: [...sessionIds], uuids: uuids.map((uuid) => uuid.toLowerCase()) };
      const id = await prisma.$transaction(async (transaction) => {
        const created = await transaction.restriction.create({ data: { projectId, action, ...lists } });
        await record(transaction, project, { itemType: 'restriction', itemId: String(created.id), activity: 'created', after: { action, ...lists } });
        return created.id;
      });
      return { id, projectId, action, ...lists };
    },

    /** All, or those of one project; oldest first. */
    async listRestrictions({ projectId }: { projectId?: number | undefined } = {}) {
      const restrictions = await prisma.restriction.findMany({ where: onlyOf(projectId), orderBy: { id: 'asc' } });
      return restrictions.map(({ createdAt, ...restriction }) => ({ ...restriction, createdAt: createdAt.toISOString() }));
    },

    async removeRestriction({ id }: { id: number }): Promise<{ id: number }> {
      await prisma.$transaction(async (transaction) => {
        const found = await transaction.restriction.findUnique({ where: { id }, include: { project: true } });
        if (found === null) throw new AppError('not_found', { detail: `There is no restriction with the id ${id}.` });
        await transaction.restriction.delete({ where: { id } });
        const { action, distinctIds, events, sessionIds, uuids, project } = found;
        await record(transaction, project, { itemType: 'restriction', itemId: String(id), activity: 'deleted', before: { action, distinctIds, events, sessionIds, uuids } });
      });
      return { id };
    },
  };
}

function onlyOf(projectId: number | undefined): { projectId?: number } {
  return projectId === undefined ? {} : { projectId };
}

type LimitActivity = Omit<Activity, 'organizationId' | 'projectId'>;

async function record(transaction: Prisma.TransactionClient, project: { id: number; organizationId: string }, activity: LimitActivity): Promise<void> {
  await recordActivity(transaction, 'command line', { organizationId: project.organizationId, projectId: project.id, ...activity });
}
