import type { Command } from 'commander';
import { onAdmin } from '../run-command.ts';

/** `organizations create` */
export function addOrganizationCommands(program: Command): void {
  const organizations = program.command('organizations').description('organizations, to which projects and users belong');
  organizations
    .command('create')
    .requiredOption('--name <name>', 'its name')
    .action(
      onAdmin<{ name: string }>(async (admin, { name }) => {
        const json = await admin.createOrganization({ name });
        return { json, text: `Created organization ${json.organizationId}.` };
      }),
    );
}
