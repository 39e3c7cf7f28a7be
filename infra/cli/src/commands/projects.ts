import type { Command } from 'commander';
import { onAdmin } from '../run-command.ts';

/** `projects create` */
export function addProjectCommands(program: Command): void {
  const projects = program.command('projects').description('projects, each with its own events and its own token');
  projects
    .command('create')
    .requiredOption('--organization <id>', 'the organization it belongs to')
    .requiredOption('--name <name>', 'its name')
    .action(
      onAdmin<{ organization: string; name: string }>(async (admin, { organization, name }) => {
        const json = await admin.createProject({ organizationId: organization, name });
        return { json, text: `Created project ${json.projectId}. SDKs send events with the token ${json.projectToken}` };
      }),
    );
}
