import type { Command } from 'commander';
import { confirm } from '../confirm.ts';
import { parseHours, parseId, parseListOrNothing, parseSwitch } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

interface CreateOptions {
  organization: string;
  name: string;
  timezone?: string;
}

interface SetOptions {
  project: number;
  anonymizeIps?: boolean;
  dangerousMerges?: boolean;
}

interface UpdateOptions {
  project: number;
  name?: string;
  timezone?: string;
  tags?: string[];
  private?: boolean;
  demo?: boolean;
}

type Work<O> = Parameters<typeof onAdmin<O>>[0];

/** `projects create`, `projects list`, `projects update`, `projects set`, `projects rotate-token`, `projects delete` */
export function addProjectCommands(program: Command): void {
  const projects = program.command('projects').description('projects, each with its own events and its own token');
  projects
    .command('create')
    .description('makes a project with a token of its own')
    .requiredOption('--organization <id>', 'the organization it belongs to')
    .requiredOption('--name <name>', 'its name')
    .option('--timezone <zone>', 'IANA name, such as Europe/Berlin; UTC unless given')
    .action(onAdmin<CreateOptions>(create));
  projects.command('list').description('all projects, with their tokens').action(onAdmin(list));
  projects
    .command('update')
    .description('changes how a project is shown, and who sees it')
    .requiredOption('--project <id>', 'the project', parseId)
    .option('--name <name>', 'its new name')
    .option('--timezone <zone>', 'IANA name, such as Europe/Berlin')
    .option('--tags <tags>', 'all its tags from now on, separated by commas; empty: none', parseListOrNothing)
    .option('--private <on|off>', 'on: only administrators and members who were given access see it', parseSwitch)
    .option('--demo <on|off>', 'on: it is marked as a demo', parseSwitch)
    .action(onAdmin<UpdateOptions>(update));
  projects
    .command('set')
    .description('sets how the events of a project are processed')
    .requiredOption('--project <id>', 'the project', parseId)
    .option(
      '--anonymize-ips <on|off>',
      'on: the IP address that events came from is removed; off unless set',
      parseSwitch,
    )
    .option(
      '--dangerous-merges <on|off>',
      'off: $merge_dangerously does not merge identified persons, as $identify does not; on unless set',
      parseSwitch,
    )
    .action(onAdmin<SetOptions>(set));
  projects
    .command('rotate-token')
    .description('gives a project a new token')
    .requiredOption('--project <id>', 'the project', parseId)
    .option('--grace-hours <hours>', 'how long the old token still works', parseHours, 24)
    .action(onAdmin<{ project: number; graceHours: number }>(rotateToken));
  projects
    .command('delete')
    .description('deletes a project: its tokens are refused from then on, its data stays stored; asks for confirmation')
    .requiredOption('--project <id>', 'the project', parseId)
    .option('--yes', 'does not ask for confirmation')
    .action(
      onAdmin<{ project: number; yes?: boolean }>(async (admin, { project, yes }) => {
        const { name } = await admin.findProject({ projectId: project });
        if (yes !== true)
          await confirm(
            `Delete project ${project} (${name})? Its tokens and endpoints stop working. This cannot be undone.`,
          );
        const json = await admin.deleteProject({ projectId: project });
        return {
          json,
          text: `Deleted project ${project} (${name}). Its events and persons stay in ClickHouse and Postgres. Nobody can send events to it or read them.`,
        };
      }),
    );
}

const create: Work<CreateOptions> = async (admin, { organization, name, timezone }) => {
  const json = await admin.createProject({
    organizationId: organization,
    name,
    ...(timezone === undefined ? {} : { timezone }),
  });
  return { json, text: `Created project ${json.projectId}. SDKs send events with the token ${json.projectToken}` };
};

const list: Work<object> = async (admin) => {
  const json = await admin.listProjects();
  const lines = json.map((project) => [project.projectId, project.projectToken, project.name].join('  '));
  return { json, text: lines.length === 0 ? 'There are no projects.' : lines.join('\n') };
};

const update: Work<UpdateOptions> = async (admin, { project, name, timezone, tags, private: isPrivate, demo }) => {
  const json = await admin.updateProject({
    projectId: project,
    ...(name === undefined ? {} : { name }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(tags === undefined ? {} : { tags }),
    ...(isPrivate === undefined ? {} : { isPrivate }),
    ...(demo === undefined ? {} : { isDemo: demo }),
  });
  const parts = [
    json.name,
    json.timezone,
    json.tags.length === 0 ? 'no tags' : `tags ${json.tags.join(', ')}`,
    json.isPrivate ? 'private' : 'open to all members',
    ...(json.isDemo ? ['demo'] : []),
  ];
  return { json, text: `Project ${project}: ${parts.join('; ')}` };
};

const set: Work<SetOptions> = async (admin, { project, anonymizeIps, dangerousMerges }) => {
  const wanted = {
    ...(anonymizeIps === undefined ? {} : { anonymizeIps }),
    ...(dangerousMerges === undefined ? {} : { allowDangerousMerges: dangerousMerges }),
  };
  const json = await admin.setProject({ projectId: project, ...wanted });
  const onOff = (value: boolean): string => (value ? 'on' : 'off');
  return {
    json,
    text: `Project ${project}: anonymize-ips ${onOff(json.anonymizeIps)}, dangerous-merges ${onOff(json.allowDangerousMerges)}. This takes effect in the consumer within 10 seconds.`,
  };
};

const rotateToken: Work<{ project: number; graceHours: number }> = async (admin, { project, graceHours }) => {
  const json = await admin.rotateToken({ projectId: project, graceHours });
  return {
    json,
    text: `The new token of project ${project} is ${json.projectToken}\nThe old one, ${json.previousToken}, works until ${json.previousTokenValidUntil}.`,
  };
};
