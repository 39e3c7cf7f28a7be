import type { Command } from 'commander';
import { oneLine } from '../for-terminal.ts';
import { parseCount, parseId, parseUuid } from '../option-parsers.ts';
import { onConsumer } from '../run-command.ts';

interface WhereOptions {
  project?: number;
  seconds: number;
}

type Work = Parameters<typeof onConsumer<WhereOptions>>[0];
type EventLookup = Awaited<ReturnType<Parameters<Work>[0]['findEvent']>>;

const progressMs = 1_000;

const sentences: Readonly<Record<EventLookup['outcome'], string>> = {
  stored: 'is stored',
  dead_letter: 'is a dead letter',
  not_yet_read: 'waits for the consumer',
  being_processed: 'is being processed',
  dropped: 'was dropped',
  not_found: 'is nowhere to be found',
};

/** The line with the next step; none when the result is clear. */
function nextStep({ outcome, deadLetters, searched }: EventLookup): string[] {
  const [letter] = deadLetters;
  if (outcome === 'dead_letter' && letter !== undefined)
    return [
      `next: "dead-letters show ${letter.id}" shows it, "dead-letters replay --reason ${letter.reason}" sends such events again`,
    ];
  if (outcome === 'not_yet_read' || outcome === 'being_processed')
    return ["next: wait; when this lasts, the consumer's /_readiness says what it waits for"];
  // Certain only when the whole log was searched.
  if (outcome === 'not_found' && searched.complete)
    return [
      'next: it did not arrive, it has another uuid, or capture dropped it with a warning that does not name the event. Look at the ingestion warnings of its project, or send it again with ?strict=1',
    ];
  return [];
}

/** `where` */
export function addWhereCommand(program: Command): void {
  program
    .command('where')
    .description('shows what happened to an event: in the log, stored, a dead letter, dropped with a warning')
    .argument('<uuid>', 'uuid of the event', parseUuid)
    .option(
      '--project <id>',
      'its project, if you know it: it makes the search faster when the log no longer has the event',
      parseId,
    )
    .option('--seconds <seconds>', 'longest search of the log, newest events first', parseCount, 60)
    .action(onConsumer<WhereOptions>(where));
}

const where: Work = async (admin, { project, seconds }, [uuid = '']) => {
  const json = await admin.findEvent(uuid.toLowerCase(), {
    projectId: project ?? null,
    secondsMax: seconds,
    onProgress: progressReporter(),
  });
  return { json, text: describe(json) };
};

/** Reports progress on standard error, because standard output is for the result. */
function progressReporter() {
  let reportedMs = performance.now();
  return (lane: string, { records, bytes }: EventLookup['searched']): void => {
    if (performance.now() - reportedMs < progressMs) return;
    reportedMs = performance.now();
    process.stderr.write(`Searching ${lane}: ${records} bundles, ${Math.round(bytes / 1e6)} MB so far\n`);
  };
}

function describe(found: EventLookup): string {
  const { uuid, outcome, positions, stored, deadLetters, warnings, lag, searched } = found;
  return [
    `Event ${uuid} ${sentences[outcome]}.`,
    ...positions.map(
      (at) =>
        `log: lane ${at.lane}, partition ${at.partition}${at.writer === '' ? '' : ` of ${at.writer}`}, offset ${at.offset}, index ${at.index}, since ${at.appendedAt}: ${at.state.replaceAll('_', ' ')}${at.dropReason === null ? '' : `; the consumer drops it: ${at.dropReason}`}`,
    ),
    ...stored.map(
      (row) =>
        `row: project ${row.projectId}, "${oneLine(row.event)}" of "${oneLine(row.distinctId)}" at ${row.timestamp}, inserted ${row.insertedAt}`,
    ),
    ...deadLetters.map(
      (letter) =>
        `dead letter: ${letter.id}, ${letter.reason} in ${letter.step} at ${letter.failedAt}: ${oneLine(letter.detail)}`,
    ),
    ...warnings.map(
      (warning) =>
        `warning: ${warning.type} (${warning.severity}) at ${warning.timestamp}: ${oneLine(warning.details)}`,
    ),
    ...lag
      .filter(({ records }) => records > 0)
      .map(
        ({ lane, records, oldestUnreadSeconds }) =>
          `lag: ${records} bundles of ${lane} are not read yet, the oldest for ${oldestUnreadSeconds} s`,
      ),
    ...nextStep(found),
    ...(searched.complete || positions.length > 0
      ? []
      : [`Only the newest ${searched.records} bundles of the log were searched in time; --seconds allows more.`]),
  ].join('\n');
}
