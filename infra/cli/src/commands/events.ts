import { createClickhouse } from '@millrace/clickhouse/client.ts';
import type { Command } from 'commander';
import { oneLine } from '../for-terminal.ts';
import { parseId } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

interface ListOptions {
  project: number;
  search?: string;
}

type Work = Parameters<typeof onAdmin<ListOptions>>[0];

const days = 30;

/** `events list` */
export function addEventCommands(program: Command): void {
  program
    .command('events')
    .description('events that projects have sent, by name')
    .command('list')
    .description(
      `the names of a project's events, when each was first and last seen, and how many came in ${days} days`,
    )
    .requiredOption('--project <id>', 'the project', parseId)
    .option('--search <words>', 'only names that contain these words, in whatever case and order')
    .action(onAdmin<ListOptions>(list));
}

const list: Work = async (admin, { project, search }, _, system) => {
  const events = await admin.listEvents({ projectId: project, search });
  const clickhouse = createClickhouse(system.clickhouseAdmin());
  try {
    const counts = await countEvents(clickhouse, project, new Set(events.map(({ name }) => name)));
    const json = events.map((event) => ({ ...event, last30Days: counts.get(event.name) ?? 0 }));
    const lines = json.map(({ name, firstSeenAt, lastSeenAt, last30Days }) =>
      [oneLine(name), `first seen ${firstSeenAt}`, `last seen ${lastSeenAt}`, `${last30Days} in ${days} days`].join(
        '  ',
      ),
    );
    return { json, text: lines.length === 0 ? 'There are no such events.' : lines.join('\n') };
  } finally {
    await clickhouse.close();
  }
};

/** Stored events of each of these names. Rows are read one by one: a project may have sent any number of other names. */
async function countEvents(
  clickhouse: ReturnType<typeof createClickhouse>,
  projectId: number,
  names: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const result = await clickhouse.query({
    query: `SELECT event, count() AS stored FROM analytics.events
      WHERE team_id = {projectId:Int64} AND timestamp >= now() - INTERVAL ${days} DAY GROUP BY event`,
    query_params: { projectId },
    format: 'JSONEachRow',
  });
  const counts = new Map<string, number>();
  for await (const rows of result.stream<{ event: string; stored: string | number }>())
    for (const row of rows) {
      const { event, stored } = row.json();
      if (names.has(event)) counts.set(event, Number(stored));
    }
  return counts;
}
