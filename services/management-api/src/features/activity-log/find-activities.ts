import { readLongRows, type Page } from '@millrace/http/pagination.ts';
import { readTime } from '@millrace/http/requests/read-time.ts';
import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { findUserIdByEmail } from '../../accounts/user-by-email.ts';
import { renderActivity } from './activity.ts';

interface Wanted {
  user?: string;
  item_type?: string;
  item_id?: string;
  since?: string;
  until?: string;
}

/** A page of the changes of an organization or a project, newest first. @throws {AppError} invalid_input for a time that is none */
export async function findActivities(
  prisma: PrismaClient,
  of: { organizationId: string } | { projectId: number },
  wanted: Wanted,
  page: Page,
) {
  const { user, item_type: itemType, item_id: itemId, since, until } = wanted;
  const where: Prisma.ActivityLogEntryWhereInput = {
    ...of,
    ...(user === undefined ? {} : { actorUserId: { in: await idsOf(prisma, user) } }),
    ...(itemType === undefined ? {} : { itemType }),
    ...(itemId === undefined ? {} : { itemId }),
    createdAt: {
      ...(since === undefined ? {} : { gte: readTime('since', since) }),
      ...(until === undefined ? {} : { lt: readTime('until', until) }),
    },
  };
  const [count, activities] = await Promise.all([
    prisma.activityLogEntry.count({ where }),
    readLongRows(page, (part) => readActivities(prisma, where, part)),
  ]);
  return { count, activities };
}

async function readActivities(prisma: PrismaClient, where: Prisma.ActivityLogEntryWhereInput, { limit, offset }: Page) {
  const entries = await prisma.activityLogEntry.findMany({ where, orderBy: { id: 'desc' }, take: limit, skip: offset });
  const users = await prisma.user.findMany({
    where: { id: { in: entries.flatMap(({ actorUserId }) => actorUserId ?? []) } },
  });
  const byId = new Map(users.map((one) => [one.id, one]));
  return entries.map((entry) => renderActivity(entry, byId.get(entry.actorUserId ?? -1) ?? null));
}

/** The users that match a text. No match is no error: the list of activities is empty then. */
async function idsOf(prisma: PrismaClient, user: string): Promise<number[]> {
  if (/^\d{1,10}$/.test(user)) return Number(user) <= 2_147_483_647 ? [Number(user)] : [];
  const id = isUuid(user) ? await idOfUuid(prisma, user.toLowerCase()) : await findUserIdByEmail(prisma, user);
  return id === null ? [] : [id];
}

async function idOfUuid(prisma: PrismaClient, uuid: string): Promise<number | null> {
  return (await prisma.user.findUnique({ where: { uuid }, select: { id: true } }))?.id ?? null;
}
