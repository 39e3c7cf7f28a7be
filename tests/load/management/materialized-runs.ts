import { judge } from '../report/bars.ts';
import { figure } from '../report/format.ts';
import { createHttpClient, type HttpClient } from '../http-client.ts';
import { generatedEvent, generatedEvents } from '../generated-events.ts';
import { saveMaterialized } from './materialized-endpoint.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import { quantiles } from '../report/statistics.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

const name = 'by_day_and_plan';
const query = `SELECT toStartOfDay(timestamp) AS day, properties.plan AS plan, count() AS events, round(sum(toFloat(properties.amount)), 2) AS amount
  FROM events WHERE event = '${generatedEvent}' AND properties.city = {variables.city} GROUP BY day, plan ORDER BY day, plan`;
const cities = 50;
const cityOf = (run: number): string => `City ${String(run % cities).padStart(2, '0')}`;

const runsWarm = 300;
const rounds = 10;
const runsOfRound = { stored: 50, inline: 6 };
const bars = { p50Ms: 4, times: 10 };

/** The rows of a run, what they cost, and how they were made. */
interface Reply {
  results: unknown[][];
  path: string;
  is_cached: boolean;
  clickhouse: string;
  statistics: { rows_read: number };
}

type Send = (city: string, refresh: 'force_blocking' | 'direct', debug?: boolean) => Promise<Buffer>;

/**
 * A materialized run that no cache answers beside the same run of the events, in alternating rounds, each time with another value.
 * @throws when the two answer different rows
 */
export async function measureMaterializedRuns(system: SystemUnderTest, { say }: Bench): Promise<Finding> {
  await saveMaterialized(system.local, name, { query, variables: { city: { code_name: 'city', type: 'String' } } });
  const http = createHttpClient(system.local.apiUrl);
  const send = runOf(system, http);
  const { rowsRead, rowsOfEvents } = await checkSame(send);
  const rowsOfTable = await tableRows(system, send);
  for (let run = 0; run < runsWarm; run++) await send(cityOf(run), 'force_blocking');
  const [stored, inline]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (let run = 0; run < runsOfRound.stored; run++)
      stored.push(await timed(() => send(cityOf(run), 'force_blocking')));
    for (let run = 0; run < runsOfRound.inline; run++)
      inline.push(await timed(() => send(cityOf(round * runsOfRound.inline + run), 'direct')));
  }
  http.close();
  const [[p50 = 0, p95 = 0], [inlineP50 = 0, inlineP95 = 0]] = [quantiles(stored, shares), quantiles(inline, shares)];
  const times = inlineP50 / p50;
  const what = `endpoints: materialized run, a group by day and property of ${generatedEvents / 1e6} 000 000 events`;
  say(
    `${what}: p50 ${figure(p50)} ms, p95 ${figure(p95)} ms, ${rowsRead} rows read of ${rowsOfTable}; inline ${figure(inlineP50)} and ${figure(inlineP95)} ms, ${rowsOfEvents} rows; ${figure(times)} times`,
  );
  return {
    lines: [
      {
        what: `${what}, p50 (p95)`,
        millrace: `${figure(p50)} ms (${figure(p95)})`,
        beside: `inline: ${figure(inlineP50)} ms (${figure(inlineP95)})`,
        ratio: `${figure(times)} times faster`,
        verdicts: [
          judge(p50, { name: 'p50', most: bars.p50Ms, unit: ' ms' }),
          judge(times, { least: bars.times, unit: ' times' }),
        ],
      },
      {
        what: `${what}, rows read`,
        millrace: `${rowsRead}`,
        beside: `inline: ${rowsOfEvents}`,
        ratio: `the table has ${rowsOfTable}`,
        verdicts: [judge(rowsRead / rowsOfTable, { most: 1, unit: ' of the table' })],
      },
    ],
    figures: {
      endpoints_materialized_p50_ms: p50,
      endpoints_materialized_p95_ms: p95,
      endpoints_materialized_inline_p50_ms: inlineP50,
      endpoints_materialized_times: times,
      endpoints_materialized_rows_read: rowsRead,
      endpoints_materialized_table_rows: rowsOfTable,
    },
  };
}

const shares = [0.5, 0.95];

function runOf({ local }: SystemUnderTest, http: HttpClient): Send {
  const headers = { authorization: `Bearer ${local.personalApiKey}`, 'content-type': 'application/json' };
  const path = `/api/projects/${local.projectId}/endpoints/${name}/run`;
  return (city, refresh, debug = false) =>
    http.send({
      method: 'POST',
      path,
      headers,
      body: JSON.stringify({ variables: { city }, refresh, ...(debug && { debug }) }),
    });
}

async function checkSame(send: Send): Promise<{ rowsRead: number; rowsOfEvents: number }> {
  const [stored, inline] = [await debugged(send, 'force_blocking'), await debugged(send, 'direct')];
  if (stored.path !== 'materialized' || inline.path !== 'inline' || stored.is_cached || inline.is_cached)
    throw new Error(`the runs were ${stored.path} and ${inline.path}`);
  if (stored.results.length === 0 || JSON.stringify(stored.results) !== JSON.stringify(inline.results))
    throw new Error('the table and the events answer different rows');
  return { rowsRead: stored.statistics.rows_read, rowsOfEvents: inline.statistics.rows_read };
}

async function debugged(send: Send, refresh: Parameters<Send>[1]): Promise<Reply> {
  return JSON.parse((await send(cityOf(0), refresh, true)).toString()) as Reply;
}

async function tableRows({ store }: SystemUnderTest, send: Send): Promise<number> {
  const [, table] = /`?materialized`?\.`?(\w+)`?/.exec((await debugged(send, 'force_blocking')).clickhouse) ?? [];
  if (table === undefined) throw new Error('the SQL of a materialized run names no table');
  return await store.number({ sql: `SELECT count() FROM internal.${table}` });
}

async function timed(request: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await request();
  return performance.now() - begun;
}
