import { membershipLevels, type MembershipLevel } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { ErrorCode } from '@millrace/http/errors/error-table.ts';
import { isSameAddress } from '../../mail/address.ts';
import type { WantedInvite } from './invite-body.ts';
import type { KnownAddress } from './invite-store.ts';
import { checkGrants, highestGrants, type GrantableProject, type ProjectGrant } from './project-grants.ts';

/** Facts for the decision about inviting an address. */
export interface InviteFacts {
  /** The inviter's level in the organization. */
  inviterLevel: number;
  /** The organization's projects, as far as the invite names them. */
  projects: readonly GrantableProject[];
  /** The domains that addresses must be of; null: any. */
  domains: readonly string[] | null;
  /** A member has the address. */
  isMember: boolean;
}

/** Steps 2 to 4 of contract/orgs-errors 2.2, in their order; where domains are enforced, they come before the last. Pure. @throws {AppError} */
export function checkInvite(
  { level, grants, targetEmail }: Pick<WantedInvite, 'level' | 'grants' | 'targetEmail'>,
  facts: InviteFacts,
): void {
  if (level > facts.inviterLevel)
    throw new AppError('permission_denied', { detail: 'You cannot invite anybody at a level above your own.' });
  checkGrants(grants, facts.projects, facts.inviterLevel >= membershipLevels.admin);
  if (!isOfDomains(targetEmail, facts.domains)) {
    throw new AppError('invalid_input', {
      attr: 'target_email',
      detail: 'This organization accepts only email addresses of its verified domains.',
    });
  }
  if (facts.isMember)
    throw new AppError('invalid_input', { detail: 'A member of the organization has this email address already.' });
}

/** True when the address is of one of the domains (in lower case); null: every address is allowed. Pure. */
export function isOfDomains(address: string, domains: readonly string[] | null): boolean {
  return domains === null || domains.includes(address.slice(address.lastIndexOf('@') + 1).toLowerCase());
}

/** Level and grants of an invite. */
interface Given {
  level: MembershipLevel;
  grants: readonly ProjectGrant[];
}

/** The highest of all levels, and of each project the highest (contract/orgs-errors 2.2, step 5). Pure. */
export function combineInvites(
  wanted: Given,
  pending: readonly Given[],
): { level: MembershipLevel; grants: ProjectGrant[] } {
  const all = [wanted, ...pending];
  const level = all.map((one) => one.level).reduce((highest, one) => (one > highest ? one : highest));
  return { level, grants: highestGrants(all.flatMap(({ grants }) => grants)) };
}

/** Users that an invite rests on: its maker, and those whose invites it combines. */
interface Stands {
  createdById: number | null;
  givenByIds: readonly number[];
}

/**
 * Users beside the maker on whose right a combined invite rests: the makers of the pending ones, where the maker (of this level) could not
 * give the same. When one of them loses that right it ends; else a member would keep an administrator's invite alive by combining it. Pure.
 */
export function giversOf(makerLevel: number, given: Given, pending: readonly (Given & Stands)[]): number[] {
  const isAdmin = makerLevel >= membershipLevels.admin;
  if (given.level <= makerLevel && (isAdmin || pending.every(({ grants }) => grants.length === 0))) return [];
  return [
    ...new Set(
      pending.flatMap(({ createdById, givenByIds }) => [...(createdById === null ? [] : [createdById]), ...givenByIds]),
    ),
  ];
}

/** Administrators may change an invite, and its maker (contract/orgs-errors 2.2). Pure. @throws {AppError} permission_denied */
export function checkMayChange(
  { createdById }: { createdById: number | null },
  { level, userId }: { level: number; userId: number },
): void {
  if (level < membershipLevels.admin && createdById !== userId)
    throw new AppError('permission_denied', {
      detail: 'Only administrators and the user who made the invite can do this.',
    });
}

/** Facts for the decision about accepting an invite. */
export interface AcceptFacts {
  targetEmail: string;
  isExpired: boolean;
  /** Owner of the used key; null: only the link is used. */
  caller: { email: string; isMember: boolean } | null;
  /** The link was mailed: its holder reads the mail of the address. */
  isMailed: boolean;
  address: KnownAddress;
}

/** Why the invite cannot be accepted, the first reason in the order of contract/orgs-errors 2.2; undefined: it can. Pure. */
export function acceptErrorOf({
  targetEmail,
  isExpired,
  isMailed,
  caller,
  address,
}: AcceptFacts): ErrorCode | undefined {
  if (caller !== null && !isSameAddress(caller.email, targetEmail)) return 'invalid_recipient';
  if (isExpired) return 'expired';
  if (caller === null && !isForForm(address, isMailed)) return 'account_exists';
  if (caller?.isMember) return 'user_already_member';
  return address === 'member' ? 'existing_email_address' : undefined;
}

/** True when a person without a key can join by the form: as a new user, or as the owner of an unproven account. Pure. */
export function isForForm(address: KnownAddress, isMailed: boolean): boolean {
  return address === 'unknown' || (address === 'unproven' && isMailed);
}
