import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import { findUserIdByEmail } from '../../../accounts/user-by-email.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import { onlySelf } from '../../../auth/only-self.ts';

/** A user who may get mails about a project. */
export interface Recipient {
  id: number;
  email: string;
}

/** The project whose alerts are sent. */
interface AlertedProject {
  id: number;
  organizationId: string;
}

type Reader = Pick<PrismaClient, 'user' | '$queryRaw'>;

/**
 * The users among these who may see the project today, by address; those who lost access get no mail. An address that is known not to be
 * proven gets none either: its owner may know nothing of the account.
 */
export async function readRecipients(
  prisma: Pick<Reader, 'user'>,
  project: AlertedProject,
  ids: readonly number[],
): Promise<Recipient[]> {
  if (ids.length === 0) return [];
  const proven = { OR: [{ isEmailVerified: true }, { isEmailVerified: null }] };
  const where = { id: { in: [...ids] }, isActive: true, isBot: false, AND: [proven, seesProject(project)] };
  return await prisma.user.findMany({ where, select: { id: true, email: true }, orderBy: { email: 'asc' } });
}

/** The rule of `visibleProjects`, for the users of one project. */
function seesProject({ id, organizationId }: AlertedProject): Prisma.UserWhereInput {
  const memberships = { some: { organizationId } };
  const isOpen = {
    memberships: { some: { organizationId, organization: { projects: { some: { id, accessControl: false } } } } },
  };
  const isAdmin = { memberships: { some: { organizationId, level: { gte: membershipLevels.admin } } } };
  const isLetIn = { memberships, projectAccess: { some: { projectId: id, level: { in: ['member', 'admin'] } } } };
  return { OR: [isOpen, isAdmin, isLetIn] };
}

/** The user beside whom the caller may see nobody of the organization; null: they see all (contract/decisions 20). */
export async function onlyUserOf(
  prisma: Pick<PrismaClient, 'organization'>,
  { project, level, caller }: ProjectAccess,
): Promise<number | null> {
  return (await onlySelf(prisma, { organization: { id: project.organizationId }, level, caller }))
    ? caller.userId
    : null;
}

interface Choice {
  addresses: readonly string[];
  /** Recipients until now. */
  before: readonly number[];
  /** From `onlyUserOf`: such a caller chooses or leaves out themselves, and others stay. */
  onlyUserId: number | null;
}

/** The ids of the recipients who are chosen. @throws {AppError} invalid_input on `mail_recipients`: nobody with this address may see the project, as far as the caller may know */
export async function chooseRecipients(
  prisma: Reader,
  project: AlertedProject,
  { addresses, before, onlyUserId }: Choice,
): Promise<number[]> {
  const ids = new Set(onlyUserId === null ? [] : before.filter((id) => id !== onlyUserId));
  for (const [index, address] of addresses.entries()) {
    const id = await findUserIdByEmail(prisma, address);
    const isKnown = id !== null && (onlyUserId === null || id === onlyUserId);
    const [found] = isKnown ? await readRecipients(prisma, project, [id]) : [];
    if (found === undefined)
      throw new AppError('invalid_input', {
        attr: `mail_recipients__${index}`,
        detail: `Nobody who may see this project has the address ${JSON.stringify(address.slice(0, 100))}. Invite them first.`,
      });
    ids.add(found.id);
  }
  return [...ids];
}
