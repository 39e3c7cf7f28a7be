import {
  Array as ArrayType,
  Boolean,
  Object as ObjectType,
  Optional,
  String as StringType,
  Unknown,
  type Static,
} from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import type { MembershipLevel } from '@millrace/contracts/membership-levels.ts';
import { isMailAddress } from '../../mail/address.ts';
import { Level } from './invite.ts';
import { readGrants, type ProjectGrant } from './project-grants.ts';

const email = StringType({ format: 'email', minLength: 1, maxLength: 254, examples: ['bob@example.com'] });

const Grants = ArrayType(Unknown(), {
  examples: [[]],
  description:
    'Projects that the invite opens beside those that every member sees: `[{"id": 1, "level": "member"}]`, levels none, member, admin.',
});

/** Body of create (spec 4.2). */
export const InviteBody = ObjectType(
  {
    target_email: email,
    first_name: Optional(StringType({ format: 'line', maxLength: 30, examples: ['Bob'] })),
    level: Optional(Level),
    message: Optional(nullable(StringType({ maxLength: 10_000 }))),
    private_project_access: Optional(nullable(Grants)),
    send_email: Optional(Boolean({ description: 'Default true.' })),
    combine_pending_invites: Optional(
      Boolean({ description: 'Whether it also gives what the pending invites of the address give. Default false.' }),
    ),
  },
  { title: 'InviteCreate' },
);
export type InviteBody = Static<typeof InviteBody>;

/** Body of delegate (contract/orgs-errors 2.2). */
export const DelegateBody = ObjectType(
  {
    target_email: email,
    message: Optional(StringType({ maxLength: 1000 })),
    step_at_delegation: Optional(
      StringType({ maxLength: 64, description: 'How far the setting up had come; it is only written down.' }),
    ),
  },
  { title: 'InviteDelegate' },
);

/** A requested invite, with all defaults. */
export interface WantedInvite {
  /** The domain in lower case, the local part as it was given. */
  targetEmail: string;
  firstName: string;
  level: MembershipLevel;
  message: string | null;
  grants: ProjectGrant[];
  sendEmail: boolean;
  /** True when it takes over the grants of the pending invites of the address. */
  combine: boolean;
  isSetupDelegation: boolean;
}

/**
 * The invite that a body requests. Pure. @throws {AppError} invalid_input about `target_email` or
 * `private_project_access`
 */
export function readInviteBody(body: InviteBody): WantedInvite {
  return {
    targetEmail: readTargetEmail(body.target_email),
    firstName: body.first_name ?? '',
    level: body.level ?? 1,
    message: body.message ?? null,
    grants: readGrants(body.private_project_access ?? []),
    sendEmail: body.send_email ?? true,
    combine: body.combine_pending_invites ?? false,
    isSetupDelegation: false,
  };
}

/** The address with its domain in lower case. Pure. @throws {AppError} invalid_input when mail could not be sent to it */
export function readTargetEmail(text: string): string {
  if (!isMailAddress(text))
    throw new AppError('invalid_input', { attr: 'target_email', detail: 'Enter a valid email address.' });
  const at = text.lastIndexOf('@');
  return text.slice(0, at) + text.slice(at).toLowerCase();
}
