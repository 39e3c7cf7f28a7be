import { run, saveEndpoint } from '../support/api.ts';
import { judge } from './bars.ts';
import { startChild } from './child.ts';
import { type Connection, openConnection } from './connection.ts';
import { count, figure, spread } from './format.ts';
import type { Bench, Finding } from './measurement.ts';
import { median, quantile, spreadOf } from './statistics.ts';
import type { SystemUnderTest } from './system-under-test.ts';

const rounds = 3;
const loads = [
  { connections: 1, requests: 1_200 },
  { connections: 32, requests: 5_000 },
] as const;
const bars = { p99Ms: 5, perSecondOfCpu: 5_000 };

const text = `SELECT properties.city AS city, count() AS events, round(sum(toFloat(properties.amount)), 2) AS amount
  FROM events WHERE properties.plan = {variables.plan} GROUP BY city ORDER BY city LIMIT 50`;
const variables = { plan: 'pro' };

/** One load on one server, round after round. */
interface Measured {
  timesMs: number[];
  perSecond: number[];
  cpuUs: number[];
}

interface Server {
  port: number;
  head: Buffer;
  cpuSeconds: () => number;
}

/** Runs whose rows are kept, beside a server that does nothing but answer the same bytes, in alternating rounds. */
export async function measureCachedRuns(system: SystemUnderTest, { say }: Bench): Promise<Finding> {
  const { local } = system;
  await saveEndpoint(local, 'by_city', text, { plan: { code_name: 'plan', value: 'none' } });
  const reply = await keptReply(system);
  const bare = startChild('same-bytes-server.ts');
  bare.tell({ reply });
  const { port } = await bare.answer<{ port: number }>();
  const body = Buffer.from(JSON.stringify({ variables }));
  const path = `/api/projects/${local.projectId}/endpoints/by_city/run`;
  const us: Server = { ...requestTo(Number(new URL(local.apiUrl).port), path, body, local.personalApiKey), cpuSeconds: () => system.cpuByProcess()['management-api'] };
  const other: Server = { ...requestTo(port, '/', body, local.personalApiKey), cpuSeconds: bare.cpuSeconds };
  const finding: Finding = { lines: [], figures: {} };
  for (const load of loads) {
    const measured = await alternate(us, other, body, load);
    const { lines, figures } = found(load.connections, measured, reply.length);
    lines.forEach((line) => say(`${line.what}: ${line.millrace}; ${line.beside}`));
    finding.lines.push(...lines);
    Object.assign(finding.figures, figures);
  }
  await bare.stop();
  return finding;
}

/** Brings the rows into the cache. @throws when they are not kept, or not 50 */
async function keptReply({ local }: SystemUnderTest): Promise<Buffer> {
  await run(local, 'by_city', { variables });
  const { status, body } = await run(local, 'by_city', { variables });
  if (status !== 200 || body.results.length !== 50 || !(body as { is_cached?: boolean }).is_cached) throw new Error(`a run was not answered from the cache: ${JSON.stringify(body).slice(0, 300)}`);
  return Buffer.from(JSON.stringify(body));
}

function requestTo(port: number, path: string, body: Buffer, key: string): Pick<Server, 'port' | 'head'> {
  const lines = [`POST ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, `authorization: Bearer ${key}`, 'content-type: application/json', `content-length: ${body.length}`];
  return { port, head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`) };
}

async function alternate(us: Server, other: Server, body: Buffer, load: (typeof loads)[number]): Promise<Record<'us' | 'other', Measured>> {
  const measured = { us: noneYet(), other: noneYet() };
  for (let round = 0; round <= rounds; round++) {
    // The first is to warm both up.
    await oneRound(us, body, load, round === 0 ? noneYet() : measured.us);
    await oneRound(other, body, load, round === 0 ? noneYet() : measured.other);
  }
  return measured;
}

const noneYet = (): Measured => ({ timesMs: [], perSecond: [], cpuUs: [] });

async function oneRound({ port, head, cpuSeconds }: Server, body: Buffer, { connections, requests }: (typeof loads)[number], into: Measured): Promise<void> {
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const before = cpuSeconds();
  const begun = performance.now();
  let left = requests;
  const work = async (connection: Connection): Promise<void> => {
    while (left-- > 0) {
      const sent = performance.now();
      await connection.send(head, body);
      into.timesMs.push(performance.now() - sent);
    }
  };
  await Promise.all(opened.map(work));
  into.perSecond.push((requests * 1000) / (performance.now() - begun));
  into.cpuUs.push(((cpuSeconds() - before) * 1e6) / requests);
  opened.forEach((connection) => connection.close());
}

function found(connections: number, { us, other }: Record<'us' | 'other', Measured>, bytes: number): Finding {
  const what = `endpoints: cached run of 50 rows (${bytes} bytes), ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
  const name = `endpoints_cached_${connections}`;
  const [ours, theirs] = [us, other].map(({ timesMs, perSecond }) => ({ p50: quantile(timesMs, 0.5), p99: quantile(timesMs, 0.99), perSecond: median(perSecond) })) as [Times, Times];
  const [ourCpu, theirCpu] = [spreadOf(us.cpuUs), spreadOf(other.cpuUs)];
  const perSecondOfCpu = 1e6 / ourCpu.median;
  const shown = ({ p50, p99, perSecond }: Times): string => `${figure(p50)} / ${figure(p99)} ms, ${count(perSecond)} runs/s`;
  return {
    lines: [
      { what: `${what}, p50 / p99`, millrace: shown(ours), beside: `node:http, same bytes: ${shown(theirs)}`, ratio: '', verdicts: [judge(ours.p99, { name: 'p99', most: bars.p99Ms, unit: ' ms' })] },
      {
        what: `${what}, CPU a run of management-api`,
        millrace: `${spread(ourCpu, 'µs')}: ${count(perSecondOfCpu)} runs/s of one core`,
        beside: `node:http, same bytes: ${spread(theirCpu, 'µs')}`,
        ratio: `${figure(median(us.cpuUs.map((cpu, index) => cpu / (other.cpuUs[index] ?? NaN))))} times`,
        verdicts: [judge(perSecondOfCpu, { least: bars.perSecondOfCpu, unit: ' runs/s of one core' })],
      },
    ],
    figures: { [`${name}_p50_ms`]: ours.p50, [`${name}_p99_ms`]: ours.p99, [`${name}_per_second`]: ours.perSecond, [`${name}_cpu_us`]: ourCpu.median, [`${name}_bare_p99_ms`]: theirs.p99, [`${name}_bare_cpu_us`]: theirCpu.median },
  };
}

interface Times {
  p50: number;
  p99: number;
  perSecond: number;
}
