import { Object as ObjectType, Optional, String as StringType } from 'typebox';
import type { Request } from 'express';
import { AppError } from '@millrace/http/errors/errors.ts';
import { isPlainLine, plainLineDetail } from '@millrace/http/plain-line.ts';
import type { BytesReply } from '@millrace/http/replies/reply.ts';
import { isFromElsewhere } from '../../pages/page.ts';
import { publicRoute, type Context } from './context.ts';
import { acceptInviteBy } from './acceptance/accept.ts';
import { isExpired } from './invite.ts';
import { isForForm } from './invite-rules.ts';
import { accountPage, joinedPage, joinPage, nothingPage, type InvitePageFacts } from './invite-page.ts';
import { findByToken, lookUpAddress } from './invite-store.ts';
import { lifeOf } from './inviter.ts';
import { notifyMembers } from './acceptance/notify-members.ts';

const params = {
  token: StringType({ description: 'The end of the link.', examples: ['mVq3Zk81TbYc7RxW0sHd5NfJ2LgPa9Ue'] }),
};
const path = '/invites/:token';
const Page = StringType({ contentMediaType: 'text/html' });

interface Call {
  params: { token: string };
  context: Context;
  request: Request;
}

export const showInvite = publicRoute({
  operationId: 'show_invite',
  method: 'get',
  path,
  params,
  access: 'public',
  tag: 'Invites',
  summary: 'Show an invite in a browser, for everyone who has its link; it changes nothing',
  responses: { 200: Page },
  handler: async (call) => (await pageOf(call)).page,
});

/** Whoever has no account sends this from the invite's page. */
const JoinForm = ObjectType(
  {
    first_name: Optional(StringType({ examples: ['Bob'] })),
    last_name: Optional(StringType({ examples: ['Ray'] })),
  },
  { title: 'InviteJoin' },
);

export const joinByInvite = publicRoute({
  operationId: 'join_by_invite',
  method: 'post',
  path,
  params,
  access: 'public',
  tag: 'Invites',
  summary: 'Accept an invite by the form of its page, as a user who is made by it; shows their personal API key, once',
  body: JoinForm,
  responses: { 200: Page },
  async handler({ params, context, request, body }) {
    const { page, facts } = await pageOf({ params, context, request });
    if (facts === null) return page;
    const names = { firstName: (body.first_name ?? '').trim(), lastName: (body.last_name ?? '').trim() };
    if (isFromElsewhere(request))
      return joinPage(facts, names, 'The form was sent from another page. Send it from this one.');
    const nameError = nameErrorOf(names);
    if (nameError !== undefined) return joinPage(facts, names, nameError);
    try {
      const joined = await acceptInviteBy(context.prisma, params.token, { caller: null, ...names }, lifeOf(context));
      void notifyMembers(context, joined);
      if (joined.claimed !== null)
        context.logger.warn(
          { userId: joined.user.id },
          'an account that nobody had proven was claimed by a link that was mailed to its address',
        );
      const urlOf = (id: string): string => `${context.baseUrl(request)}/api/organizations/${id}`;
      const { name, id } = joined.organization;
      const claimed =
        joined.claimed?.map((place) => ({ name: place.name, leaveUrl: `${urlOf(place.id)}/members/@me/` })) ?? null;
      return joinedPage({
        organizationName: name,
        key: joined.key ?? '',
        projectsUrl: `${urlOf(id)}/projects/`,
        claimed,
      });
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return nothingPage(error.message);
      throw error;
    }
  },
});

/** Page of the link. `facts`: the content of the form; null: joining by the form is not possible. */
async function pageOf({
  params,
  context,
  request,
}: Call): Promise<{ page: BytesReply; facts: InvitePageFacts | null }> {
  const found = await findByToken(context.prisma, params.token);
  if (found === null) return { page: nothingPage('This invite link is no longer valid.'), facts: null };
  const { invite, isMailed } = found;
  if (isExpired(invite, lifeOf(context))) return { page: nothingPage('This invite has expired.'), facts: null };
  const facts = { invite, organizationName: invite.organization.name, lifeMs: context.inviteLifeMs };
  const address = await lookUpAddress(context.prisma, invite.organizationId, invite.targetEmail);
  if (address === 'member') return { page: nothingPage('You are a member of this organization already.'), facts: null };
  if (!isForForm(address, isMailed))
    return { page: accountPage(facts, `${context.baseUrl(request)}/api/invites/${params.token}/accept`), facts: null };
  const formFacts = { ...facts, isClaim: address === 'unproven' };
  return { page: joinPage(formFacts, { firstName: invite.firstName, lastName: '' }), facts: formFacts };
}

function nameErrorOf({ firstName, lastName }: { firstName: string; lastName: string }): string | undefined {
  if (firstName === '') return 'The first name is missing. Enter your first name.';
  if (firstName.length > 150 || lastName.length > 150) return 'A name may have at most 150 characters.';
  return isPlainLine(firstName) && isPlainLine(lastName) ? undefined : plainLineDetail;
}
