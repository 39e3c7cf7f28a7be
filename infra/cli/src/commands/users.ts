import type { Command } from 'commander';
import { parseLevel, parseSwitch } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

interface CreateOptions {
  organization: string;
  email: string;
  firstName: string;
  level: number;
}

interface UpdateOptions {
  user: string;
  email?: string;
  firstName?: string;
  lastName?: string;
  role?: string;
  codeHostLogin?: string;
  active?: boolean;
  bot?: boolean;
}

type Work<O> = Parameters<typeof onAdmin<O>>[0];

/** `users create`, `users list`, `users update`, `users claim` */
export function addUserCommands(program: Command): void {
  const users = program.command('users').description('people who administer projects');
  users
    .command('create')
    .description('makes a user as a member of an organization')
    .requiredOption('--organization <id>', 'the organization they join')
    .requiredOption('--email <email>', 'their email address')
    .requiredOption('--first-name <name>', 'their first name')
    .requiredOption('--level <level>', '1 member, 8 administrator, 15 owner', parseLevel)
    .action(onAdmin<CreateOptions>(create));
  users
    .command('list')
    .description('all users, oldest first, with their organizations and levels')
    .action(onAdmin(list));
  users
    .command('update')
    .description('changes what is known of a user, or switches one off')
    .requiredOption('--user <email>', 'the current email address of the user')
    .option('--email <email>', 'a new email address')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--role <role>', 'role at the organization; empty: none')
    .option('--code-host-login <login>', 'login on the connected code host; empty: none')
    .option(
      '--active <on|off>',
      'off: the user is not a member of any organization until switched on again, their keys do not work, and the invites that they made are withdrawn',
      parseSwitch,
    )
    .option('--bot <on|off>', 'on: the system itself made the user, and lists of members do not show it', parseSwitch)
    .action(onAdmin<UpdateOptions>(update));
  users
    .command('claim')
    .description(
      'hands an account to the owner of its address, when you know who that is: ends all its keys, run tokens and invites, and prints a new key',
    )
    .requiredOption('--user <email>', 'email address of the account')
    .action(onAdmin<{ user: string }>(claim));
}

const create: Work<CreateOptions> = async (admin, { organization, email, firstName, level }) => {
  const json = await admin.createUser({ organizationId: organization, email, firstName, level });
  return { json, text: `Created user ${json.userId} (${json.userUuid}): ${email}` };
};

const list: Work<object> = async (admin) => {
  const json = await admin.listUsers();
  const lines = json.map(({ userId, email, firstName, isActive, organizations }) => {
    const memberOf = organizations.map(({ organizationId, level }) => `${organizationId} (${level})`).join(', ');
    return [userId, email, firstName, isActive ? memberOf || 'in no organization' : 'switched off'].join('  ');
  });
  return { json, text: lines.length === 0 ? 'There are no users.' : lines.join('\n') };
};

const update: Work<UpdateOptions> = async (
  admin,
  { user, email, firstName, lastName, role, codeHostLogin, active, bot },
) => {
  const json = await admin.updateUser({
    email: user,
    ...(email === undefined ? {} : { newEmail: email }),
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
    ...(role === undefined ? {} : { role }),
    ...(codeHostLogin === undefined ? {} : { codeHostLogin }),
    ...(active === undefined ? {} : { isActive: active }),
    ...(bot === undefined ? {} : { isBot: bot }),
  });
  const names = [json.firstName, json.lastName].filter((name) => name !== '').join(' ');
  const parts = [
    `${names} <${json.email}>`,
    `role ${json.roleAtOrganization ?? 'none'}`,
    `code host login ${json.codeHostLogin ?? 'none'}`,
    json.isActive ? 'active' : 'switched off',
    ...(json.isBot ? ['bot'] : []),
  ];
  return { json, text: `User ${json.userId}: ${parts.join(', ')}` };
};

const claim: Work<{ user: string }> = async (admin, { user }) => {
  const json = await admin.claimUser({ email: user });
  const places = json.organizations.map(({ id, name }) => `\n  ${id}  ${name}`).join('');
  return {
    json,
    text: `${json.key}\n\nThis is the only time the key is shown. It acts as ${json.email}; all other keys of the account no longer work. Member of:${places || ' no organization'}`,
  };
};
