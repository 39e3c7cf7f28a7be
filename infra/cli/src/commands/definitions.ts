import type { Command } from 'commander';
import { onSystem } from '../run-command.ts';

/** `definitions backfill`. */
export function addDefinitionCommands(program: Command): void {
  program
    .command('definitions')
    .description('names and types of events and properties')
    .command('backfill')
    .description(
      'learns them from what was stored before this release; it can be stopped at any time and run again, and learns nothing twice',
    )
    .action(
      onSystem<object>(async ({ clickhouseAdmin, postgresUrl }) => {
        const { backfillStoredDefinitions } = await import('@millrace/consumer/admin');
        const clickhouse = clickhouseAdmin();
        const json = await backfillStoredDefinitions({ clickhouse, postgresUrl, onProgress, onFailed });
        if (json.failed > 0) process.exitCode = 1;
        return {
          json,
          text:
            `Learned the names and types of ${json.learned} parts; ${json.skipped} were learned before.` +
            (json.failed > 0 ? ` ${json.failed} could not be read: run it again.` : ''),
        };
      }),
    );
}

// On standard error, because standard output is for the result.
function onProgress({
  done,
  parts,
  part: { projectId, period, rows },
}: {
  done: number;
  parts: number;
  part: { projectId: number; period: string; rows: number };
}): void {
  process.stderr.write(`${done} of ${parts}: project ${projectId}, ${period} (${rows} rows)\n`);
}

function onFailed({ projectId, period }: { projectId: number; period: string }, error: unknown): void {
  process.stderr.write(`project ${projectId}, ${period}: ${error instanceof Error ? error.message : String(error)}\n`);
}
