import { restrictionActions } from '@millrace/contracts/project-limits.ts';
import type { Command } from 'commander';
import { collect, parseId } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

interface AddOptions {
  project: number;
  action: string;
  distinctId: string[];
  event: string[];
  session: string[];
  uuid: string[];
}

type Work<O> = Parameters<typeof onAdmin<O>>[0];

/** `restrictions add`, `restrictions list`, `restrictions remove` */
export function addRestrictionCommands(program: Command): void {
  const restrictions = program.command('restrictions').description('rules for certain events of a project');
  restrictions
    .command('add')
    .description('applies to all events of the project, or to those that match every kind of option that is given')
    .requiredOption('--project <id>', 'the project', parseId)
    .requiredOption('--action <action>', restrictionActions.join(', '))
    .option('--distinct-id <id>', 'only events of this distinct id; may be repeated', collect, [])
    .option('--event <name>', 'only events of this name; may be repeated', collect, [])
    .option('--session <id>', 'only events of this session; may be repeated', collect, [])
    .option('--uuid <uuid>', 'only this event; may be repeated', collect, [])
    .action(onAdmin<AddOptions>(add));
  restrictions
    .command('list')
    .description('all restrictions')
    .option('--project <id>', 'only those of this project', parseId)
    .action(onAdmin<{ project?: number }>(list));
  restrictions
    .command('remove')
    .description('removes a restriction')
    .argument('<id>', 'id of the restriction, as "restrictions list" shows it')
    .action(
      onAdmin(async (admin, _, [id = '']) => {
        const json = await admin.removeRestriction({ id: parseId(id) });
        return { json, text: `Removed restriction ${id}.` };
      }),
    );
}

const add: Work<AddOptions> = async (admin, { project, action, distinctId, event, session, uuid }) => {
  const json = await admin.addRestriction({
    projectId: project,
    action,
    distinctIds: distinctId,
    events: event,
    sessionIds: session,
    uuids: uuid,
  });
  return { json, text: `Added restriction ${json.id}: ${action} for ${meant(json)} of project ${project}.` };
};

const list: Work<{ project?: number }> = async (admin, { project }) => {
  const json = await admin.listRestrictions({ projectId: project });
  const lines = json.map((one) => `${one.id}  project ${one.projectId}  ${one.action}  ${meant(one)}`);
  return { json, text: lines.length === 0 ? 'There are no restrictions.' : lines.join('\n') };
};

interface Lists {
  distinctIds: string[];
  events: string[];
  sessionIds: string[];
  uuids: string[];
}

function meant({ distinctIds, events, sessionIds, uuids }: Lists): string {
  const named = { 'distinct id': distinctIds, event: events, session: sessionIds, uuid: uuids };
  const parts = Object.entries(named).flatMap(([what, values]) =>
    values.length === 0 ? [] : [`${what} ${values.map((value) => JSON.stringify(value)).join(' or ')}`],
  );
  return parts.length === 0 ? 'all events' : parts.join(' and ');
}
