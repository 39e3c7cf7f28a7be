import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { oneLine } from '../for-terminal.ts';
import { parseCount, parseTime } from '../option-parsers.ts';
import { onConsumer } from '../run-command.ts';

interface FilterOptions {
  reason?: string;
  token?: string;
  since?: number;
  until?: number;
  limit?: number;
}

type Work<O> = Parameters<typeof onConsumer<O>>[0];

const listedMax = 100;

/** `dead-letters list`, `dead-letters show`, `dead-letters replay` */
export function addDeadLetterCommands(program: Command): void {
  const letters = program
    .command('dead-letters')
    .description('events that the consumer could not process, or that a restriction set aside');
  withFilters(letters.command('list').description('lists the newest that match, without their content'))
    .option('--limit <letters>', `how many are shown; ${listedMax} unless set`, parseCount)
    .action(onConsumer<FilterOptions>(list));
  letters
    .command('show')
    .description('shows one of them, with its content')
    .argument('<id>', 'id, as "dead-letters list" shows it')
    .action(onConsumer(show));
  withFilters(
    letters
      .command('replay')
      .description('sends those that match to the consumer again, except events that are already stored'),
  )
    .option(
      '--limit <letters>',
      'how many of those that match are considered, oldest of each partition first; all unless set',
      parseCount,
    )
    .option('--dry-run', 'only shows what it would do, and changes nothing')
    .action(onConsumer<FilterOptions & { dryRun?: boolean }>(replay));
}

function withFilters(command: Command): Command {
  return command
    .option('--reason <reason>', 'only those of this reason')
    .option('--token <token>', 'only those of the project with this token')
    .option('--since <time>', 'only those that failed from this UTC day or time on', parseTime)
    .option('--until <time>', 'only those that failed before this UTC day or time', parseTime);
}

function filterOf({ reason, token, since, until }: FilterOptions) {
  return { reason, token, sinceMs: since, untilMs: until };
}

const list: Work<FilterOptions> = async (admin, options) => {
  const filter = filterOf(options);
  const json = await admin.listDeadLetters(filter, options.limit ?? listedMax);
  if (json.count === 0) return { json, text: describeNone((await admin.listDeadLetters({}, 0)).reasons) };
  const lines = json.letters.map(({ id, failedAt, reason, lane, uuid, event, detail }) =>
    [id, failedAt, reason, lane, uuid ?? '-', event ?? '-', detail].map(oneLine).join('  '),
  );
  return {
    json,
    text: [...lines, `${json.letters.length} of ${json.count}: ${describeReasons(json.reasons)}`].join('\n'),
  };
};

/** The text for an empty list. It shows the dead letters that exist, so that a misspelt filter does not look like good news. */
function describeNone(reasons: Record<string, number>): string {
  return Object.keys(reasons).length === 0
    ? 'There are no dead letters.'
    : `No dead letter matches. All dead letters: ${describeReasons(reasons)}.`;
}

function describeReasons(reasons: Record<string, number>): string {
  return Object.entries(reasons)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');
}

const show: Work<object> = async (admin, _, [id = '']) => {
  const json = await admin.showDeadLetter(id);
  if (json === null) throw new CliError(`There is no dead letter ${id}. "dead-letters list" shows the ids.`);
  const { entries, payload, ...summary } = json;
  const facts = Object.entries(summary).map(([name, value]) => `${name}: ${oneLine(String(value ?? '-'))}`);
  const content = entries.flatMap(({ head, properties }) => [
    `head: ${oneLine(head)}`,
    `properties: ${oneLine(properties)}`,
  ]);
  return {
    json,
    text: [...facts, ...content, ...(payload === null ? [] : [`payload: ${oneLine(payload)}`])].join('\n'),
  };
};

const replay: Work<FilterOptions & { dryRun?: boolean }> = async (admin, options) => {
  const dryRun = options.dryRun === true;
  const report = await admin.replayDeadLetters(filterOf(options), { limit: options.limit ?? Infinity, dryRun });
  const { matched, replayed, alreadyStored, repeated } = report;
  if (matched === 0)
    return { json: { dryRun, ...report }, text: describeNone((await admin.listDeadLetters({}, 0)).reasons) };
  const text = `${dryRun ? 'Would replay' : 'Replayed'} ${replayed} of ${matched}: ${alreadyStored} were already stored, ${repeated} are repeats of another dead letter.`;
  return { json: { dryRun, ...report }, text };
};
