import { saveEndpoint } from '../../support/api.ts';
import type { Child } from '../child.ts';
import type { HttpClient } from '../http-client.ts';
import { judge } from '../report/bars.ts';
import { figure } from '../report/format.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import { quantile, quantiles } from '../report/statistics.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { reportTurns, startWatchedApi, type LongestTurn } from './start-watched-api.ts';

const rows = 10_000;
const runs = 40;
const runsWarm = 10;
/** Runs of one row before the measurement, because the first runs are slower. */
const smallRunsToWarm = 200;
const blockBarMs = 1;

const text = `SELECT uuid, timestamp, distinct_id, properties.city AS city, properties.$browser AS browser, properties.$current_url AS url,
  toFloat(properties.amount) AS amount, toInt(properties.quantity) AS quantity FROM events WHERE event = 'generated' LIMIT ${rows}`;

/** How long the event loop of the API is held by a run of 10,000 rows of 8 columns, computed and kept, beside a run of one row; and when the last byte is there. */
export async function measureLargeResult(system: SystemUnderTest, { say }: Bench): Promise<Finding> {
  await saveEndpoint(system.local, 'many_rows', text);
  const { child, http } = await startWatchedApi(system);
  const seenOf = async (what: string, body: object, rowsExpected: number): Promise<Seen> => {
    const seen = await watchRuns(child, () => query(system, http, JSON.stringify(body)), rowsExpected);
    say(
      `${rowsExpected} rows ${what}: longest turn ${shownBoth(seen)}; last byte after ${figure(seen.lastByteMs)} ms (${seen.bytes} bytes)`,
    );
    return seen;
  };
  for (let index = 0; index < smallRunsToWarm; index++)
    await query(system, http, JSON.stringify({ refresh: 'force', limit: 1 }));
  const computed = await seenOf('computed', { refresh: 'force' }, rows);
  const cached = await seenOf('from the cache', {}, rows);
  const oneRow = await seenOf('computed', { refresh: 'force', limit: 1 }, 1);
  http.close();
  await child.stop();
  return report(computed, cached, oneRow);
}

interface Seen {
  cpu: Quantiles;
  wall: Quantiles;
  lastByteMs: number;
  bytes: number;
}

interface Quantiles {
  least: number;
  p50: number;
  p95: number;
}

const query = ({ local }: SystemUnderTest, http: HttpClient, body: string): Promise<Buffer> =>
  http.send({
    method: 'POST',
    path: `/api/projects/${local.projectId}/endpoints/many_rows/run`,
    headers: { authorization: `Bearer ${local.personalApiKey}`, 'content-type': 'application/json' },
    body,
  });

/** @throws when a reply has another number of rows */
async function watchRuns(child: Child, send: () => Promise<Buffer>, rowsExpected: number): Promise<Seen> {
  const turns: LongestTurn[] = [];
  const lastByteMs: number[] = [];
  let bytes = 0;
  for (let index = -runsWarm; index < runs; index++) {
    await reportTurns(child, { what: 'watch' });
    const begun = performance.now();
    const reply = await send();
    const took = performance.now() - begun;
    const longest = await reportTurns(child, { what: 'say' });
    if (index < 0) continue;
    turns.push(longest);
    lastByteMs.push(took);
    bytes = reply.length;
    if (index === 0) checkRows(reply, rowsExpected);
  }
  return {
    cpu: quantilesOf(turns.map(({ cpuMs }) => cpuMs)),
    wall: quantilesOf(turns.map(({ wallMs }) => wallMs)),
    lastByteMs: quantile(lastByteMs, 0.5),
    bytes,
  };
}

function quantilesOf(turns: readonly number[]): Quantiles {
  const [least, p50, p95] = quantiles(turns, [0, 0.5, 0.95]) as [number, number, number];
  return { least, p50, p95 };
}

function checkRows(reply: Buffer, expected: number): void {
  const { results } = JSON.parse(reply.toString()) as { results: unknown[][] };
  if (results.length !== expected || results[0]?.length !== 8)
    throw new Error(
      `${results.length} rows of ${results[0]?.length ?? 0} columns were answered instead of ${expected} of 8`,
    );
}

const shown = ({ least, p50, p95 }: Quantiles): string => `${figure(least)} / ${figure(p50)} / ${figure(p95)} ms`;
const shownBoth = ({ cpu, wall }: Seen): string => `${shown(cpu)} of CPU, ${shown(wall)} by the clock`;

function report(computed: Seen, cached: Seen, oneRow: Seen): Finding {
  const line = (what: string, seen: Seen): Finding['lines'][number] => ({
    what: `endpoints: ${rows / 1000} 000 rows of 8 columns ${what}, longest turn of the event loop, least / p50 / p95 of ${runs} runs`,
    millrace: `${shownBoth(seen)}; last byte after ${figure(seen.lastByteMs)} ms (${seen.bytes} bytes)`,
    beside: `the same, 1 row: ${shownBoth(oneRow)}; ${figure(oneRow.lastByteMs)} ms`,
    ratio: '',
    verdicts: [
      judge(seen.cpu.p50, { name: 'p50 of CPU', most: blockBarMs, unit: ' ms' }),
      judge(seen.wall.p50, { name: 'p50 by the clock', most: blockBarMs, unit: ' ms' }),
    ],
  });
  const figuresOf = (name: string, { cpu, wall }: Seen): Finding['figures'] => ({
    [`${name}_cpu_ms`]: cpu.p50,
    [`${name}_cpu_p95_ms`]: cpu.p95,
    [`${name}_ms`]: wall.p50,
    [`${name}_p95_ms`]: wall.p95,
  });
  return {
    lines: [line('computed', computed), line('from the cache', cached)],
    figures: {
      ...figuresOf('endpoints_block_computed', computed),
      ...figuresOf('endpoints_block_cached', cached),
      ...figuresOf('endpoints_block_one_row', oneRow),
      endpoints_many_rows_last_byte_ms: computed.lastByteMs,
    },
  };
}
