import type { Command } from 'commander';
import { oneLine } from '../for-terminal.ts';
import { parseId } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

interface ListOptions {
  project: number;
  search?: string;
  type?: string;
}

type Work = Parameters<typeof onAdmin<ListOptions>>[0];

/** `properties list` */
export function addPropertyCommands(program: Command): void {
  program
    .command('properties')
    .description('properties that projects have sent, by name')
    .command('list')
    .description(
      'the properties of a project with their types, when each was first and last seen, and how many values do not fit the type',
    )
    .requiredOption('--project <id>', 'the project', parseId)
    .option('--search <words>', 'only names that contain these words, in whatever case and order')
    .option('--type <event|person|group>', 'only properties of events, of persons or of groups')
    .action(onAdmin<ListOptions>(list));
}

const list: Work = async (admin, { project, search, type }) => {
  const json = await admin.listProperties({ projectId: project, search, type });
  const lines = json.map((property) =>
    [
      property.owner,
      oneLine(property.name),
      property.type ?? 'not settled',
      `first seen ${property.firstSeenAt}`,
      `last seen ${property.lastSeenAt}`,
      `${property.unfitValues} do not fit`,
    ].join('  '),
  );
  return { json, text: lines.length === 0 ? 'There are no such properties.' : lines.join('\n') };
};
