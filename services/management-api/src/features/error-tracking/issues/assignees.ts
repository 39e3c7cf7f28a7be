import { AppError } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Assignee } from './issue.ts';

interface AssigneeColumns {
  assigneeUserId: number | null;
  assigneeRoleId: string | null;
}

/**
 * Columns of an assignee; null: nobody. Roles are not kept here: any UUID is one.
 * @throws {AppError} invalid_input on `assignee__id`: no UUID of a role, or no active member of the organization
 */
export async function readAssignee(
  prisma: Pick<PrismaClient, 'membership'>,
  organizationId: string,
  assignee: Assignee | null,
): Promise<AssigneeColumns> {
  if (assignee === null) return { assigneeUserId: null, assigneeRoleId: null };
  const id = String(assignee.id);
  if (assignee.type === 'role') {
    if (!isUuid(id)) throw refused('A role has a UUID.');
    return { assigneeUserId: null, assigneeRoleId: id.toLowerCase() };
  }
  const userId = /^[0-9]{1,9}$/.test(id) ? Number(id) : null;
  const where = { organizationId, userId: userId ?? 0, user: { isActive: true } };
  if (userId === null || (await prisma.membership.count({ where })) === 0)
    throw refused('No active member of the organization has this id.');
  return { assigneeUserId: userId, assigneeRoleId: null };
}

const refused = (detail: string): AppError => new AppError('invalid_input', { attr: 'assignee__id', detail });
