import { asWords } from '../../mail/address.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { StoredInvite } from './invite.ts';

type Invited = Pick<
  StoredInvite,
  'targetEmail' | 'firstName' | 'level' | 'message' | 'isSetupDelegation' | 'createdAt'
> & {
  createdBy: { firstName: string; email: string } | null;
};

/** The organization and the maker of an invite, as its mail names them. */
export interface InviteMailFacts {
  organizationName: string;
  link: string;
  lifeMs: number;
}

/** Name of each level. */
export const levelNames: Readonly<Record<number, string>> = { 1: 'a member', 8: 'an administrator', 15: 'an owner' };

/** The mail with an invite's link: the ordinary one, or the one that hands a setup over. Pure. */
export function inviteMail(invite: Invited, { organizationName, link, lifeMs }: InviteMailFacts): Mail {
  const inviter = inviterOf(invite);
  const organization = asWords(organizationName);
  const invitation = invite.isSetupDelegation
    ? `${inviter} asks you to set up the organization ${organization} on Millrace, as ${levelNames[invite.level]}.`
    : `${inviter} invites you to the organization ${organization} on Millrace, as ${levelNames[invite.level]}.`;
  const paragraphs = [
    invite.firstName === '' ? 'Hello,' : `Hello ${asWords(invite.firstName)},`,
    invitation,
    quoted(inviter, invite.message),
    `To accept, open this page before ${untilOf(invite, lifeMs)}:\n\n${link}`,
    'Whoever has this link can join in your name, so keep it to yourself. If you do not know who sent it, do nothing.',
  ];
  const subject = invite.isSetupDelegation
    ? `${inviter} asks you to set up ${organization} on Millrace`
    : `${inviter} invites you to ${organization} on Millrace`;
  return {
    to: invite.targetEmail,
    subject,
    text: `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`,
  };
}

/** The mail that notifies a member that a user has joined. Pure. */
export function joinedMail(to: string, joined: { firstName: string; email: string }, organizationName: string): Mail {
  const [who, organization] = [nameOf(joined), asWords(organizationName)];
  return {
    to,
    subject: `${who} joined ${organization}`,
    text: `${who} has accepted an invite and is now in the organization ${organization} on Millrace.\n`,
  };
}

/** The last time at which an invite can be accepted, as text in UTC. Pure. */
export function untilOf({ createdAt }: { createdAt: Date }, lifeMs: number): string {
  return `${new Date(createdAt.getTime() + lifeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The maker of an invite, on one line. Pure. */
export function inviterOf({ createdBy }: Pick<Invited, 'createdBy'>): string {
  return createdBy === null ? 'An administrator' : nameOf(createdBy);
}

function nameOf({ firstName, email }: { firstName: string; email: string }): string {
  return firstName === '' ? email : `${asWords(firstName)} (${email})`;
}

/** Somebody else's words, marked as such: none of them looks like ours. */
function quoted(who: string, message: string | null): string {
  if (message === null || message.trim() === '') return '';
  const lines = message.split(/\r\n|[\r\n\u0085\u2028\u2029]/);
  return `${who} writes:\n\n${lines.map((line) => `> ${asWords(line)}`.trimEnd()).join('\n')}`;
}
