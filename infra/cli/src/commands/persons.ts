import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { parseHours } from '../option-parsers.ts';
import { onSystem } from '../run-command.ts';

const hourMs = 3_600_000;
const leastHours = 1;

/** `persons squash-overrides`; its former name `fold-overrides` still works in this release. */
export function addPersonCommands(program: Command): void {
  const persons = program.command('persons').description('the stored persons');
  persons
    .command('squash-overrides')
    .alias('fold-overrides')
    .description(
      'writes merged persons into the older events themselves, as the consumer does once a day; it can be stopped at any time and run again',
    )
    .option(
      '--older-than-hours <hours>',
      `only merges that are at least this old; ${leastHours} or more`,
      parseHours,
      24,
    )
    .action(
      onSystem<{ olderThanHours: number }>(async ({ clickhouseAdmin, postgresUrl }, { olderThanHours }) => {
        if (olderThanHours < leastHours)
          throw new CliError(
            `Merges younger than ${leastHours} hour are not squashed: events from before them may still arrive.`,
          );
        const { squashPersonOverrides } = await import('@millrace/consumer/admin');
        const json = await squashPersonOverrides({
          clickhouse: clickhouseAdmin(),
          postgresUrl,
          ageMs: olderThanHours * hourMs,
          onProgress,
        });
        if (json === null)
          throw new CliError('Another process is squashing overrides now. Run the command again later.');
        return { json, text: `Squashed ${json.overrides} overrides; ${json.events} events were rewritten.` };
      }),
    );
}

// On standard error, because standard output is for the result.
function onProgress({ overrides, events, doing }: { overrides: number; events: number; doing: string }): void {
  process.stderr.write(`${doing} (so far ${overrides} overrides, ${events} events)\n`);
}
