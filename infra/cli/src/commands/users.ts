import type { Command } from 'commander';
import { parseLevel } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

/** `users create` */
export function addUserCommands(program: Command): void {
  const users = program.command('users').description('people who administer projects');
  users
    .command('create')
    .requiredOption('--organization <id>', 'the organization they join')
    .requiredOption('--email <email>', 'their email address')
    .requiredOption('--first-name <name>', 'their first name')
    .requiredOption('--level <level>', '1 member, 8 administrator, 15 owner', parseLevel)
    .action(
      onAdmin<{ organization: string; email: string; firstName: string; level: number }>(async (admin, { organization, ...user }) => {
        const { email, firstName, level } = user;
        const json = await admin.createUser({ organizationId: organization, email, firstName, level });
        return { json, text: `Created user ${json.userId} (${json.userUuid}).` };
      }),
    );
}
