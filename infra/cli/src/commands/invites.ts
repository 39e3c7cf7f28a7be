import type { Command } from 'commander';
import { parseLevel, parseUuid } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

interface CreateOptions {
  organization: string;
  email: string;
  firstName?: string;
  level: number;
}

/** `invites list`, `invites create`, `invites link`, `invites delete` */
export function addInviteCommands(program: Command): void {
  const invites = program.command('invites').description('invites into organizations');
  invites
    .command('list')
    .description('lists the invites that nobody has accepted yet, newest first')
    .requiredOption('--organization <id>', 'the organization', parseUuid)
    .action(onAdmin<{ organization: string }>(list));
  invites
    .command('create')
    .description('prints a link to pass on; no mail is sent')
    .requiredOption('--organization <id>', 'the organization', parseUuid)
    .requiredOption('--email <email>', 'email address of the invited person')
    .requiredOption('--level <level>', '1 member, 8 administrator, 15 owner', parseLevel)
    .option('--first-name <name>', 'first name of the invited person')
    .action(onAdmin<CreateOptions>(create));
  invites
    .command('link')
    .description('prints a new link to pass on; the link that was copied before no longer works')
    .argument('<id>', 'id of the invite, as "invites list" shows it', parseUuid)
    .action(
      onAdmin(async (admin, _, [id = ''], { apiUrl, inviteDays }) => {
        const json = await admin.copyInviteLink({ id, inviteDays, apiUrl: apiUrl() });
        return { json, text: json.link };
      }),
    );
  invites
    .command('delete')
    .description('withdraws an invite')
    .argument('<id>', 'id of the invite, as "invites list" shows it', parseUuid)
    .action(
      onAdmin(async (admin, _, [id = '']) => {
        const json = await admin.deleteInvite({ id });
        return { json, text: `Deleted invite ${id}.` };
      }),
    );
}

type Work<O> = Parameters<typeof onAdmin<O>>[0];

const list: Work<{ organization: string }> = async (admin, { organization: organizationId }, _args, { inviteDays }) => {
  const json = await admin.listInvites({ organizationId, inviteDays });
  const lines = json.map((invite) =>
    [
      invite.inviteId,
      invite.email,
      `level ${invite.level}`,
      invite.isExpired ? 'expired' : 'pending',
      invite.emailingAttemptMade ? 'mailed' : 'not mailed',
      invite.createdBy ?? 'command line',
    ].join('  '),
  );
  return { json, text: lines.length === 0 ? 'There are no invites.' : lines.join('\n') };
};

const create: Work<CreateOptions> = async (
  admin,
  { organization: organizationId, email, firstName, level },
  _args,
  { apiUrl, inviteDays },
) => {
  const names = firstName === undefined ? {} : { firstName };
  const json = await admin.createInvite({ organizationId, email, level, ...names, inviteDays, apiUrl: apiUrl() });
  return {
    json,
    text: `${json.link}\n\nWhoever opens this link within ${inviteDays} days joins as ${json.email}. The id of the invite is ${json.inviteId}.`,
  };
};
