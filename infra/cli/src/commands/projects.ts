import type { Command } from 'commander';
import { parseHours, parseId } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

type Work<O> = Parameters<typeof onAdmin<O>>[0];

/** `projects create`, `projects list`, `projects rotate-token`, `projects delete` */
export function addProjectCommands(program: Command): void {
  const projects = program.command('projects').description('projects, each with its own events and its own token');
  projects
    .command('create')
    .requiredOption('--organization <id>', 'the organization it belongs to')
    .requiredOption('--name <name>', 'its name')
    .action(onAdmin<{ organization: string; name: string }>(create));
  projects.command('list').description('all projects, with their tokens').action(onAdmin(list));
  projects
    .command('rotate-token')
    .description('gives a project a new token')
    .requiredOption('--project <id>', 'the project', parseId)
    .option('--grace-hours <hours>', 'how long the old token still works', parseHours, 24)
    .action(onAdmin<{ project: number; graceHours: number }>(rotateToken));
  projects
    .command('delete')
    .description('ends a project: its tokens are refused from now on')
    .requiredOption('--project <id>', 'the project', parseId)
    .action(
      onAdmin<{ project: number }>(async (admin, { project }) => {
        const json = await admin.deleteProject({ projectId: project });
        return { json, text: `Deleted project ${project}. Its events are still stored; nobody can send or read any.` };
      }),
    );
}

const create: Work<{ organization: string; name: string }> = async (admin, { organization, name }) => {
  const json = await admin.createProject({ organizationId: organization, name });
  return { json, text: `Created project ${json.projectId}. SDKs send events with the token ${json.projectToken}` };
};

const list: Work<object> = async (admin) => {
  const json = await admin.listProjects();
  const lines = json.map((project) => [project.projectId, project.projectToken, project.name].join('  '));
  return { json, text: lines.length === 0 ? 'There are no projects.' : lines.join('\n') };
};

const rotateToken: Work<{ project: number; graceHours: number }> = async (admin, { project, graceHours }) => {
  const json = await admin.rotateToken({ projectId: project, graceHours });
  return { json, text: `The new token of project ${project} is ${json.projectToken}\nThe old one, ${json.previousToken}, works until ${json.previousTokenValidUntil}.` };
};
