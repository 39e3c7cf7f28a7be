import { restrictionActions } from '@millrace/contracts/project-limits.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { requireChoice, requireProject } from './checks.ts';
import { onlyOf, recordLimit } from './limits.ts';

/** An event must be in each list that is not empty. Without lists, the restriction applies to all events of the project. */
export interface WantedRestriction {
  projectId: number;
  action: string;
  distinctIds?: readonly string[];
  events?: readonly string[];
  sessionIds?: readonly string[];
  uuids?: readonly string[];
}

/** Restrictions (contract/capture 1.11). Running services obey within seconds, by the change feed. */
export function createRestrictionAdmin(prisma: PrismaClient) {
  return {
    async addRestriction(wanted: WantedRestriction) {
      const project = await requireProject(prisma, wanted.projectId);
      requireChoice('action', wanted.action, restrictionActions);
      const strange = wanted.uuids?.find((uuid) => !isUuid(uuid));
      if (strange !== undefined)
        throw new AppError('invalid_input', { attr: 'uuid', detail: `"${strange}" is not a UUID.` });
      const { projectId, action, distinctIds = [], events = [], sessionIds = [], uuids = [] } = wanted;
      const lists = {
        distinctIds: [...distinctIds],
        events: [...events],
        sessionIds: [...sessionIds],
        uuids: uuids.map((uuid) => uuid.toLowerCase()),
      };
      const id = await prisma.$transaction(async (transaction) => {
        const created = await transaction.restriction.create({ data: { projectId, action, ...lists } });
        await recordLimit(transaction, project, {
          itemType: 'restriction',
          itemId: String(created.id),
          activity: 'created',
          after: { action, ...lists },
        });
        return created.id;
      });
      return { id, projectId, action, ...lists };
    },

    /** All, or those of one project; oldest first. */
    async listRestrictions({ projectId }: { projectId?: number | undefined } = {}) {
      const restrictions = await prisma.restriction.findMany({ where: onlyOf(projectId), orderBy: { id: 'asc' } });
      return restrictions.map(({ createdAt, ...restriction }) => ({
        ...restriction,
        createdAt: createdAt.toISOString(),
      }));
    },

    async removeRestriction({ id }: { id: number }): Promise<{ id: number }> {
      await prisma.$transaction(async (transaction) => {
        const found = await transaction.restriction.findUnique({ where: { id }, include: { project: true } });
        if (found === null) throw new AppError('not_found', { detail: `There is no restriction with the id ${id}.` });
        await transaction.restriction.delete({ where: { id } });
        const { action, distinctIds, events, sessionIds, uuids, project } = found;
        await recordLimit(transaction, project, {
          itemType: 'restriction',
          itemId: String(id),
          activity: 'deleted',
          before: { action, distinctIds, events, sessionIds, uuids },
        });
      });
      return { id };
    },
  };
}
