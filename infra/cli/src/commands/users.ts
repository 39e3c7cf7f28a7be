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

/** `users create`, `users update` */
export function addUserCommands(program: Command): void {
  const users = program.command('users').description('people who administer projects');
  users
    .command('create')
    .requiredOption('--organization <id>', 'the organization they join')
    .requiredOption('--email <email>', 'their email address')
    .requiredOption('--first-name <name>', 'their first name')
    .requiredOption('--level <level>', '1 member, 8 administrator, 15 owner', parseLevel)
    .action(onAdmin<CreateOptions>(create));
  users
    .command('update')
    .description('changes what is known of a user, or switches one off')
    .requiredOption('--user <email>', 'who, by the present address')
    .option('--email <email>', 'a new email address')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--role <role>', 'role at the organization; empty: none')
    .option('--code-host-login <login>', 'login on the connected code host; empty: none')
    .option('--active <on|off>', 'off: the user is no member anywhere until switched on again, and no key of his works', parseSwitch)
    .option('--bot <on|off>', 'on: made by the system itself, and in no list of members', parseSwitch)
    .action(onAdmin<UpdateOptions>(update));
}

const create: Work<CreateOptions> = async (admin, { organization, email, firstName, level }) => {
  const json = await admin.createUser({ organizationId: organization, email, firstName, level });
  return { json, text: `Created user ${json.userId} (${json.userUuid}).` };
};

const update: Work<UpdateOptions> = async (admin, { user, email, firstName, lastName, role, codeHostLogin, active, bot }) => {
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
  const parts = [`${names} <${json.email}>`, `role ${json.roleAtOrganization ?? 'none'}`, `code host login ${json.codeHostLogin ?? 'none'}`, json.isActive ? 'active' : 'switched off', ...(json.isBot ? ['bot'] : [])];
  return { json, text: `User ${json.userId}: ${parts.join(', ')}` };
};
