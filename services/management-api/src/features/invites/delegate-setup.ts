import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { withdrawInvites } from '../../accounts/withdraw-invites.ts';
import type { OrganizationAccess } from '../../auth/granted-access.ts';
import { isSameAddress } from '../../mail/address.ts';
import type { MailBudget } from '../../mail/mail-budget.ts';
import { organizationRoute } from './context.ts';
import { Invite, isExpired } from './invite.ts';
import { DelegateBody, readTargetEmail, type WantedInvite } from './invite-body.ts';
import { mailAndRender } from './create-invite.ts';
import { inviterOf } from './inviter.ts';
import { lockOrganization, renewLink, transactionOptions, withCreator, type Transaction } from './invite-store.ts';
import { saveInvites, type Inviter, type MadeInvite } from './save-invites.ts';
import { takeInviteMails } from './send-invites.ts';

export const delegateSetup = organizationRoute({
  operationId: 'delegate_setup',
  method: 'post',
  path: '/api/organizations/:organization_id/invites/delegate',
  access: { scope: 'organization_member:write', level: membershipLevels.admin },
  tag: 'Invites',
  summary: 'Hand the setting up of the organization to somebody, as an administrator',
  description:
    'Asked again about the same address, it answers the invite that is pending; about another, that one takes its place.',
  body: DelegateBody,
  responses: { 200: Invite },
  async handler({ body, auth, context }) {
    const inviter = inviterOf({ auth, context });
    const wanted: WantedInvite = {
      ...{
        targetEmail: readTargetEmail(body.target_email),
        firstName: '',
        level: membershipLevels.admin,
        message: body.message ?? '',
        grants: [],
      },
      ...{ sendEmail: true, combine: false, isSetupDelegation: true },
    };
    const made = await context.prisma.$transaction(async (transaction) => {
      const saved = await delegate(
        transaction,
        { inviter, auth, budget: context.mailBudget },
        wanted,
        body.step_at_delegation ?? '',
      );
      await takeInviteMails(transaction, context, inviter.organizationId, [saved]);
      return saved;
    }, transactionOptions);
    const [invite] = await mailAndRender(context, auth, [made]);
    if (invite === undefined) throw new Error('an invite was made and is not there');
    return invite;
  },
});

interface Delegator {
  inviter: Inviter;
  auth: OrganizationAccess;
  budget: MailBudget;
}

async function delegate(
  transaction: Transaction,
  { inviter, auth, budget }: Delegator,
  wanted: WantedInvite,
  step: string,
): Promise<MadeInvite> {
  const { userId } = auth.caller;
  await lockOrganization(transaction, inviter.organizationId);
  const pending = await findPending(transaction, inviter.organizationId, userId);
  if (pending !== null) {
    const isSame = isSameAddress(pending.targetEmail, wanted.targetEmail) && !isExpired(pending, inviter.life);
    if (isSame) return delegateAgain(transaction, inviter, budget, { invite: pending, wanted });
    await withdrawInvites(transaction, inviter.actor, [pending]);
  }
  const [made] = await saveInvites(transaction, inviter, [wanted], { activityDetails: { step_at_delegation: step } });
  if (made === undefined) throw new Error('an invite was made and is not there');
  await transaction.user.update({
    where: { id: userId },
    data: {
      onboardingSkippedAt: new Date(inviter.life.nowMs),
      onboardingSkippedReason: 'delegated',
      onboardingDelegatedToInviteId: made.invite.id,
      onboardingDelegatedToOrganizationId: inviter.organizationId,
      onboardingDelegationAcceptedAt: null,
    },
  });
  return made;
}

/** The open invite by which the user delegated the setup of this organization. */
async function findPending(transaction: Transaction, organizationId: string, userId: number) {
  const { onboardingDelegatedToInviteId: id } = await transaction.user.findUniqueOrThrow({ where: { id: userId } });
  return id === null
    ? null
    : transaction.organizationInvite.findFirst({
        where: { id, organizationId, isSetupDelegation: true },
        include: withCreator,
      });
}

/** Uses the existing invite. Its mail is sent with a new secret when it was not sent and is not being sent: the first secret is not stored. */
async function delegateAgain(
  transaction: Transaction,
  { canMail, actor, organizationId }: Inviter,
  budget: MailBudget,
  { invite, wanted }: Omit<MadeInvite, 'token'>,
): Promise<MadeInvite> {
  const isOnItsWay = await budget.wasSentLately(transaction, {
    organizationId,
    kind: 'invite',
    address: invite.targetEmail,
  });
  if (invite.emailingAttemptMade || !canMail || isOnItsWay) return { invite, wanted, token: null };
  return { ...(await renewLink(transaction, actor, invite.id, 'mailed')), wanted };
}
