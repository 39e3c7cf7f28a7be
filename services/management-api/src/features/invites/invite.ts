import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  String as StringType,
  Unsafe,
  type Static,
} from 'typebox';
import { membershipLevels, type MembershipLevel } from '@millrace/contracts/membership-levels.ts';
import { nullable } from '@millrace/http/nullable.ts';
import type { OrganizationInvite, PrismaClient, User } from '@millrace/postgres/generated/client.ts';
import type { OrganizationAccess } from '../../auth/granted-access.ts';
import { shownProjects, type ShownProjects } from '../../auth/shown-projects.ts';
import { summarizeUser, UserOrNull } from '../../accounts/user-summary.ts';
import { grantLevels, type ProjectGrant } from './project-grants.ts';

/** An invite's path below its organization. */
export const invitePath = '/api/organizations/:organization_id/invites/:id';

/** 1 member, 8 administrator, 15 owner (contract/orgs-errors 2). */
export const Level = Unsafe<MembershipLevel>({
  type: 'integer',
  enum: Object.values(membershipLevels),
  description: '1 member, 8 administrator, 15 owner.',
});

export const InviteId = StringType({ format: 'uuid', description: 'Id of the invite.' });

const timestamp = StringType({ format: 'date-time' });
const Grant = ObjectType(
  { id: Integer(), level: StringType({ enum: [...grantLevels] }) },
  { title: 'InviteProjectAccess' },
);

/** An invite as the API shows it (spec 2, contract/orgs-errors 2.2). */
export const Invite = ObjectType(
  {
    id: InviteId,
    target_email: StringType({ examples: ['bob@example.com'] }),
    first_name: StringType({ examples: ['Bob'] }),
    emailing_attempt_made: Boolean({ examples: [true], description: 'Whether its mail was sent.' }),
    level: Level,
    is_expired: Boolean(),
    created_by: UserOrNull,
    created_at: timestamp,
    updated_at: timestamp,
    message: nullable(StringType()),
    private_project_access: nullable(ArrayType(Grant)),
    send_email: Boolean({ examples: [true], description: 'As it was asked for; true in lists.' }),
    combine_pending_invites: Boolean({ description: 'As it was asked for; false in lists.' }),
  },
  { title: 'Invite' },
);
export type Invite = Static<typeof Invite>;

/** An invite with the user who made it; null: the command line, or a deleted user. */
export type StoredInvite = OrganizationInvite & { createdBy: User | null };

/** Lifetime of invites, and the time now. */
export interface InviteLife {
  nowMs: number;
  lifeMs: number;
}

/** True from the moment on when the invite is older than an invite may be. Pure. */
export function isExpired(
  { createdAt }: Pick<OrganizationInvite, 'createdAt'>,
  { nowMs, lifeMs }: InviteLife,
): boolean {
  return nowMs - createdAt.getTime() > lifeMs;
}

/** Projects that the invite grants beside those that every member sees. */
export function grantsOf({ privateProjectAccess }: Pick<OrganizationInvite, 'privateProjectAccess'>): ProjectGrant[] {
  return (privateProjectAccess ?? []) as unknown as ProjectGrant[];
}

/** Everything beside the invite itself that is needed to show it. */
export interface InviteView {
  life: InviteLife;
  /** Projects that the reader may see. */
  shown: ShownProjects;
}

/** Finds what the invites are shown with: the projects that they grant and that the caller may know of. */
export async function inviteView(
  prisma: Pick<PrismaClient, 'project'>,
  auth: OrganizationAccess,
  life: InviteLife,
  invites: readonly StoredInvite[],
): Promise<InviteView> {
  return {
    life,
    shown: await shownProjects(
      prisma,
      auth,
      invites.flatMap(grantsOf).map(({ id }) => id),
    ),
  };
}

/**
 * The invite as the API shows it; without projects that the reader may not know of, as if it granted none of them.
 * Pure.
 */
export function renderInvite(
  invite: StoredInvite,
  { life, shown }: InviteView,
  options: { sendEmail: boolean; combine: boolean } = { sendEmail: true, combine: false },
): Invite {
  const grants = grantsOf(invite).filter(({ id }) => shown.has(id));
  return {
    id: invite.id,
    target_email: invite.targetEmail,
    first_name: invite.firstName,
    emailing_attempt_made: invite.emailingAttemptMade,
    level: invite.level as MembershipLevel,
    is_expired: isExpired(invite, life),
    created_by: summarizeUser(invite.createdBy),
    created_at: invite.createdAt.toISOString(),
    updated_at: invite.updatedAt.toISOString(),
    message: invite.message,
    private_project_access: grants.length === 0 ? null : grants,
    send_email: options.sendEmail,
    combine_pending_invites: options.combine,
  };
}
