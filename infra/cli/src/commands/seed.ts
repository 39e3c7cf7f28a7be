import type { Command } from 'commander';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { CliError } from '../cli-error.ts';
import { oneLine } from '../for-terminal.ts';
import { parseDay, parseId } from '../option-parsers.ts';
import { type CommandResult, onAdmin } from '../run-command.ts';
import { seedShop, type SeededShop, type SeedOptions } from '../shop/seed-shop.ts';
import { shopDays, shopEventCount } from '../shop/shop-events.ts';
import { shopTarget } from '../shop/shop-target.ts';

interface ShopOptions {
  project?: number;
  lastDay?: string;
}

type Work = Parameters<typeof onAdmin<ShopOptions>>[0];

const progressMs = 1_000;

/** `seed shop` */
export function addSeedCommands(program: Command): void {
  program
    .command('seed')
    .description('data for a trial')
    .command('shop')
    .description(
      `a made-up web shop: ${thousands(shopEventCount)} events of ${shopDays} days, always the same ones; a second run adds nothing`,
    )
    .option('--project <id>', 'the project; unless given, the one that npm start made', parseId)
    .option('--last-day <day>', 'the last of its days, in UTC; yesterday unless given', parseDay)
    .action(onAdmin<ShopOptions>(seed));
}

const seed: Work = async (admin, { project, lastDay }, _, system) => {
  const nowMs = Date.now();
  if (lastDay !== undefined && Date.parse(lastDay) > nowMs)
    throw new CliError(`${lastDay} is in the future. Choose an earlier day.`);
  const projectId = project ?? system.projectId();
  const found = (await admin.listProjects()).find((each) => each.projectId === projectId);
  if (found === undefined) throw new CliError(`There is no project ${projectId}. "projects list" shows all projects.`);
  const { name, projectToken } = found;
  const clickhouse = createClickhouse(system.clickhouseAdmin());
  const sinceMs = performance.now();
  try {
    const target = shopTarget({ captureUrl: system.captureUrl(), projectId, projectToken, clickhouse });
    const days = { lastDay: lastDay ?? dayBefore(nowMs), isChosen: lastDay !== undefined };
    const shop = await seedShop(target, { ...days, onProgress: progressReporter() });
    return describe(shop, { projectId, name, seconds: (performance.now() - sinceMs) / 1_000 });
  } finally {
    await clickhouse.close();
  }
};

/** The default of the last day: yesterday, so that all days of the shop are over. */
const dayBefore = (ms: number): string => new Date(ms - 86_400_000).toISOString().slice(0, 10);

const thousands = (count: number): string => count.toLocaleString('en-US');

/** Reports progress on standard error, because standard output is for the result. */
function progressReporter(): SeedOptions['onProgress'] {
  let reportedMs = performance.now();
  return (done, all, what) => {
    if (done < all && performance.now() - reportedMs < progressMs) return;
    reportedMs = performance.now();
    process.stderr.write(`${thousands(done)} of ${thousands(all)} events ${what}\n`);
  };
}

interface Facts {
  projectId: number;
  name: string;
  seconds: number;
}

function describe({ events, firstDay, lastDay, sent }: SeededShop, { projectId, name, seconds }: Facts): CommandResult {
  const counts = eventCounts(events);
  const json = { projectId, events: events.length, sent, firstDay, lastDay, counts };
  const project = `project ${projectId} (${oneLine(name)})`;
  const done = `Sent ${thousands(sent)} events of the shop to ${project}; queries see all of them after ${seconds.toFixed(1)} s.`;
  const lines = Object.entries(counts).map(([event, count]) => `  ${thousands(count).padStart(7)}  ${event}`);
  const text = `${sent > 0 ? done : `The shop is in ${project} already: nothing was sent.`}

${lines.join('\n')}

It was open from ${firstDay} to ${lastDay} (UTC). Customers are user_1, user_2, …; plans are free, pro and team.

Next:
  eval "$(npm run --silent millrace -- status --env)"    variables of the examples in docs/
  docs/dashboard.md                                      a dashboard of the shop in a page of your own
  docs/endpoints.md, docs/sql.md                         queries that have an answer now`;
  return { json, text };
}

/** Number of events by name, the most frequent first. */
function eventCounts(events: SeededShop['events']): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { event } of events) counts.set(event, (counts.get(event) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}
