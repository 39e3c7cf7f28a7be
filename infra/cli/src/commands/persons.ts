import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { parseHours } from '../option-parsers.ts';
import { onSystem } from '../run-command.ts';

const hourMs = 3_600_000;
const leastHours = 1;

/** `persons squash-overrides`; its former name `fold-overrides` still works in this release. */
export function addPersonCommands(program: Command): void {
  const persons = program.command('persons').description('stored data of persons');
  persons
    .command('squash-overrides')
    .alias('fold-overrides')
    .description(
      'writes merged persons into the older events themselves, as the consumer does once a day; killed anywhere, it may be run again',
    )
    .option('--older-than-hours <hours>', `only merges of at least this age; ${leastHours} or more`, parseHours, 24)
    .action(
      onSystem<{ olderThanHours: number }>(async ({ clickhouseAdmin, postgresUrl }, { olderThanHours }) => {
        if (olderThanHours < leastHours)
          throw new CliError(
            `Merges younger than ${leastHours} hour are left alone: events from before them may still be on their way.`,
          );
        const { squashPersonOverrides } = await import('@millrace/consumer/admin');
        const { signal } = new AbortController();
        const json = await squashPersonOverrides({
          clickhouse: clickhouseAdmin(),
          postgresUrl,
          ageMs: olderThanHours * hourMs,
          signal,
          onProgress,
        });
        if (json === null) throw new CliError('Another process squashes overrides at the moment.');
        return { json, text: `Squashed ${json.overrides} overrides; ${json.events} events were rewritten.` };
      }),
    );
}

// On standard error, because standard output is for the result.
function onProgress({ overrides, events, doing }: { overrides: number; events: number; doing: string }): void {
  process.stderr.write(`${doing} (so far ${overrides} overrides, ${events} events)\n`);
}
