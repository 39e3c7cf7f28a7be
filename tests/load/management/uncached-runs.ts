import { compileQuery } from '@millrace/query-language/compile.ts';
import { saveEndpoint } from '../../support/api.ts';
import { judge } from '../report/bars.ts';
import { startChild } from '../child.ts';
import { figure } from '../report/format.ts';
import { createHttpClient, type HttpClient } from '../http-client.ts';
import type { LoadResult } from '../generator/load-order.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import { quantile } from '../report/statistics.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

const eventsStored = 20_000;
/** It takes V8 thousands of runs to optimize the code of a run. So the warm-up runs a constant that often, over a few connections, then the query itself some times. */
const runsOfConstant = { runs: 4_000, connections: 4 };
const runsWarm = 150;
const runs = 300;

const text = `SELECT properties.$browser AS browser, count() AS events, round(avg(toFloat(properties.amount)), 2) AS amount
  FROM events WHERE event = {variables.event} GROUP BY browser ORDER BY events DESC, browser LIMIT 100`;
const variables = { event: '$pageview' };

const overheadBarMs = 1.5;

type Send = () => Promise<Buffer>;

/**
 * The cost of a run that is computed over the same query sent straight to ClickHouse: one after the other, alternating.
 * The project must have no events before; it has 20,000 then.
 */
export async function measureUncachedRuns(system: SystemUnderTest, { say }: Bench): Promise<Finding> {
  await fill(system);
  await saveEndpoint(system.local, 'by_browser', text, { event: { code_name: 'event', value: 'none' } });
  const http = createHttpClient(system.local.apiUrl);
  const [throughUs, straight] = [runOf(system, http), straightOf(system)];
  checkSame(await throughUs(), await straight());
  await runConstant(system, http);
  await alternate(throughUs, straight, runsWarm);
  const before = system.cpuByProcess();
  const { ours, theirs } = await alternate(throughUs, straight, runs);
  const apiCpuMs = ((system.cpuByProcess()['management-api'] - before['management-api']) * 1000) / runs;
  http.close();
  const p50 = { ours: quantile(ours, 0.5), theirs: quantile(theirs, 0.5) };
  const p95 = { ours: quantile(ours, 0.95), theirs: quantile(theirs, 0.95) };
  say(
    `uncached run: p50 ${figure(p50.ours)} ms, straight ${figure(p50.theirs)} ms; p95 ${figure(p95.ours)} and ${figure(p95.theirs)} ms; CPU of management-api ${figure(apiCpuMs)} ms a run`,
  );
  return {
    lines: [
      {
        what: `endpoints: uncached run over ${eventsStored / 1000} 000 events, p50 (p95)`,
        millrace: `${figure(p50.ours)} ms (${figure(p95.ours)})`,
        beside: `same query straight to ClickHouse: ${figure(p50.theirs)} ms (${figure(p95.theirs)})`,
        ratio: `+${figure(p50.ours - p50.theirs)} ms`,
        verdicts: [judge(p50.ours - p50.theirs, { most: overheadBarMs, unit: ' ms' })],
      },
      {
        what: 'endpoints: uncached run, CPU of management-api',
        millrace: `${figure(apiCpuMs)} ms`,
        beside: '',
        ratio: '',
      },
    ],
    figures: {
      endpoints_uncached_p50_ms: p50.ours,
      endpoints_uncached_p95_ms: p95.ours,
      endpoints_straight_p50_ms: p50.theirs,
      endpoints_straight_p95_ms: p95.theirs,
      endpoints_uncached_overhead_p50_ms: p50.ours - p50.theirs,
      endpoints_uncached_api_cpu_ms: apiCpuMs,
    },
  };
}

async function fill(system: SystemUnderTest): Promise<void> {
  const generator = startChild('generator/load-generator.ts');
  const { captureUrl, projectToken } = system.local;
  generator.post({
    port: Number(new URL(captureUrl).port),
    path: '/batch/',
    token: projectToken,
    requests: eventsStored / 100,
    eventsPerRequest: 100,
    connections: 4,
    persons: 1_000,
  });
  await generator.result<LoadResult>();
  await generator.stop();
  await system.untilStored(eventsStored, 60_000);
  // One part, so that merges do not change the query's cost while it is measured.
  await system.store.send({ sql: 'OPTIMIZE TABLE analytics.events FINAL' });
}

async function runConstant(system: SystemUnderTest, http: HttpClient): Promise<void> {
  await saveEndpoint(system.local, 'constant', 'SELECT 1 AS one');
  const send = runOf(system, http, 'constant', {});
  let left = runsOfConstant.runs;
  const work = async (): Promise<void> => {
    while (left-- > 0) await send();
  };
  await Promise.all(Array.from({ length: runsOfConstant.connections }, work));
}

function runOf({ local }: SystemUnderTest, http: HttpClient, name = 'by_browser', values: object = variables): Send {
  const headers = { authorization: `Bearer ${local.personalApiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ variables: values, refresh: 'force' });
  return () =>
    http.send({ method: 'POST', path: `/api/projects/${local.projectId}/endpoints/${name}/run`, headers, body });
}

function straightOf({ asTenant, tenantHeaders: headers }: SystemUnderTest): Send {
  const { sql, params } = compileQuery({ text, variables, rowsMax: 50_000 });
  return () =>
    asTenant.send({
      sql: `${sql}\nFORMAT JSONCompact`,
      params,
      headers,
      settings: { output_format_json_quote_64bit_integers: '0' },
    });
}

/** @throws when the two do not answer the same rows: then they are no comparison */
function checkSame(ours: Buffer, theirs: Buffer): void {
  const { results } = JSON.parse(ours.toString()) as { results: unknown[] };
  const { data } = JSON.parse(theirs.toString()) as { data: unknown[] };
  if (results.length === 0 || JSON.stringify(results) !== JSON.stringify(data))
    throw new Error('the endpoint and the straight query answer different rows');
}

async function alternate(
  throughUs: Send,
  straight: Send,
  times: number,
): Promise<{ ours: number[]; theirs: number[] }> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let run = 0; run < times; run++) {
    ours.push(await timed(throughUs));
    theirs.push(await timed(straight));
  }
  return { ours, theirs };
}

async function timed(request: Send): Promise<number> {
  const begun = performance.now();
  await request();
  return performance.now() - begun;
}
