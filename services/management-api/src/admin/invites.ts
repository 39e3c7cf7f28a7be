import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { validator } from '@millrace/http/validator.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import { isExpired, type InviteLife, type StoredInvite } from '../features/invites/invite.ts';
import { InviteBody, readInviteBody } from '../features/invites/invite-body.ts';
import { inviteLink } from '../features/invites/invite-link.ts';
import { lockOrganization, renewLink, transactionOptions, withCreator } from '../features/invites/invite-store.ts';
import { saveInvites } from '../features/invites/save-invites.ts';
import { withdrawInvites } from '../accounts/withdraw-invites.ts';
import { requireOrganization } from './checks.ts';

/** Settings of the command line beside the database. */
interface InviteContext {
  /** Lifetime of an invite, in days. */
  inviteDays: number;
  /** Prefix of links. */
  apiUrl: string;
}

interface WantedAdminInvite extends InviteContext {
  organizationId: string;
  email: string;
  firstName?: string;
  level: number;
}

const checkBody = validator(InviteBody);

/** Operations of the command line on invites. It sends no mail: it prints links to pass on. */
export function createInviteAdmin(prisma: PrismaClient, clock: Clock) {
  const lifeOf = (inviteDays: number): InviteLife => ({ nowMs: clock.nowMs(), lifeMs: inviteDays * 86_400_000 });

  return {
    /** All open invites of an organization, newest first, without their links. */
    async listInvites({ organizationId, inviteDays }: { organizationId: string; inviteDays: number }) {
      await requireOrganization(prisma, organizationId);
      const invites = await prisma.organizationInvite.findMany({
        where: { organizationId },
        include: withCreator,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      });
      return invites.map((invite) => shown(invite, lifeOf(inviteDays)));
    },

    /** Invites an address, in place of every earlier invite of it, by the rules of the API. */
    async createInvite({ organizationId, email, firstName = '', level, inviteDays, apiUrl }: WantedAdminInvite) {
      const body = { target_email: email, first_name: firstName, level };
      checkBody(body);
      await requireOrganization(prisma, organizationId);
      const life = lifeOf(inviteDays);
      const inviter = {
        organizationId,
        actor: 'command line',
        level: membershipLevels.owner,
        life,
        canMail: false,
      } as const;
      const wanted = readInviteBody(body as InviteBody);
      const { invite, token } = await prisma.$transaction(async (transaction) => {
        const [made] = await saveInvites(transaction, inviter, [wanted]);
        if (made === undefined) throw new Error('an invite was made and is not there');
        return renewLink(transaction, 'command line', made.invite.id, 'copied');
      }, transactionOptions);
      return { ...shown(invite, life), link: inviteLink(apiUrl, token) };
    },

    /** A link to pass on by hand, in place of the one that was copied before. */
    async copyInviteLink({ id, inviteDays, apiUrl }: { id: string } & InviteContext) {
      const invite = await requireInvite(prisma, id);
      if (isExpired(invite, lifeOf(inviteDays)))
        throw new AppError('expired', { detail: 'This invite has expired. Invite the address again.' });
      const { token } = await prisma.$transaction(
        (transaction) => renewLink(transaction, 'command line', id, 'copied'),
        transactionOptions,
      );
      return { inviteId: id, link: inviteLink(apiUrl, token) };
    },

    /** Ends its links. */
    async deleteInvite({ id }: { id: string }): Promise<{ inviteId: string }> {
      const { organizationId } = await requireInvite(prisma, id);
      await prisma.$transaction(async (transaction) => {
        await lockOrganization(transaction, organizationId);
        const invites = await transaction.organizationInvite.findMany({ where: { id }, include: withCreator });
        await withdrawInvites(transaction, 'command line', invites);
      }, transactionOptions);
      return { inviteId: id };
    },
  };
}

async function requireInvite(prisma: PrismaClient, id: string) {
  const invite = isUuid(id) ? await prisma.organizationInvite.findUnique({ where: { id } }) : null;
  if (invite === null) throw new AppError('not_found', { detail: `There is no invite with the id ${id}.` });
  return invite;
}

function shown(invite: StoredInvite, life: InviteLife) {
  const { id: inviteId, targetEmail: email, firstName, level, emailingAttemptMade, createdBy, createdAt } = invite;
  return {
    inviteId,
    email,
    firstName,
    level,
    emailingAttemptMade,
    isExpired: isExpired(invite, life),
    createdBy: createdBy?.email ?? null,
    createdAt: createdAt.toISOString(),
  };
}
