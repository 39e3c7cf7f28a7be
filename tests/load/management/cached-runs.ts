import { judge } from '../report/bars.ts';
import { openConnection } from '../generator/connection.ts';
import { count, figure, spread } from '../report/format.ts';
import { type CachedRun, type Server, startCachedRun } from './cached-run.ts';
import { type Bench, type Finding, joined } from '../report/measurement.ts';
import { measureScheduledRuns } from './scheduled-runs.ts';
import { median, quantile, spreadOf } from '../report/statistics.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

const rounds = 3;
/** V8 optimizes the way of a run for thousands of runs: what is measured is a process that has been up for a while. */
const warmUp = { connections: 32, requests: 20_000 };
const loads = [
  { connections: 1, requests: 3_000 },
  // Enough to keep one core at work; more only wait for one another.
  { connections: 8, requests: 6_000 },
  { connections: 32, requests: 8_000 },
] as const;
const p99BarMs = 5;
const perSecondOfCpuBar = 5_000;

/** Runs whose rows are kept, beside a server that does nothing but answer the same bytes, in alternating rounds. */
export async function measureCachedRuns(system: SystemUnderTest, bench: Bench): Promise<Finding> {
  const kept = await startCachedRun(system);
  for (const server of [kept.us, kept.bare]) await oneRound(server, warmUp);
  const findings: Finding[] = [await measureScheduledRuns(kept, bench)];
  for (const load of loads) {
    const finding = found(load.connections, await alternate(kept, load), kept.replyBytes);
    finding.lines.forEach((line) => bench.say(`${line.what}: ${line.millrace}; ${line.beside}`));
    findings.push(finding);
  }
  await kept.stop();
  return joined(...findings);
}

/** One load on one server, round after round. */
interface Measured {
  timesMs: number[];
  perSecond: number[];
  cpuUs: number[];
}

interface Load {
  connections: number;
  requests: number;
}

async function alternate({ us, bare }: CachedRun, load: Load): Promise<Record<'us' | 'bare', Measured>> {
  const measured = { us: noneYet(), bare: noneYet() };
  for (let round = 0; round < rounds; round++) {
    await oneRound(us, load, measured.us);
    await oneRound(bare, load, measured.bare);
  }
  return measured;
}

const noneYet = (): Measured => ({ timesMs: [], perSecond: [], cpuUs: [] });

/** Each connection sends the next request as soon as it has a reply. */
async function oneRound(
  { port, head, body, cpuSeconds }: Server,
  { connections, requests }: Load,
  into = noneYet(),
): Promise<void> {
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const before = cpuSeconds();
  const begun = performance.now();
  let left = requests;
  const work = async (connection: (typeof opened)[number]): Promise<void> => {
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

function found(connections: number, { us, bare }: Record<'us' | 'bare', Measured>, bytes: number): Finding {
  const what = `endpoints: cached run of 50 rows (${bytes} bytes), ${connections} ${connections === 1 ? 'connection' : 'connections'} without a pause`;
  const name = `endpoints_cached_${connections}`;
  const [ours, theirs] = [timesOf(us), timesOf(bare)];
  const [ourCpu, theirCpu] = [spreadOf(us.cpuUs), spreadOf(bare.cpuUs)];
  const perSecondOfCpu = 1e6 / ourCpu.median;
  return {
    lines: [
      {
        what: `${what}, p50 / p99`,
        millrace: shown(ours),
        beside: `node:http, same bytes: ${shown(theirs)}`,
        ratio: '',
        verdicts: [judge(ours.p99, { name: 'p99', most: p99BarMs, unit: ' ms' })],
      },
      {
        what: `${what}, CPU a run of management-api`,
        millrace: `${spread(ourCpu, 'µs')}: ${count(perSecondOfCpu)} runs/s of one core`,
        beside: `node:http, same bytes: ${spread(theirCpu, 'µs')}`,
        ratio: `${figure(median(us.cpuUs.map((cpu, index) => cpu / (bare.cpuUs[index] ?? NaN))))} times`,
        verdicts: [judge(perSecondOfCpu, { least: perSecondOfCpuBar, unit: ' runs/s of one core' })],
      },
    ],
    figures: {
      [`${name}_p50_ms`]: ours.p50,
      [`${name}_p99_ms`]: ours.p99,
      [`${name}_per_second`]: ours.perSecond,
      [`${name}_cpu_us`]: ourCpu.median,
      [`${name}_bare_p99_ms`]: theirs.p99,
      [`${name}_bare_cpu_us`]: theirCpu.median,
    },
  };
}

interface Times {
  p50: number;
  p99: number;
  perSecond: number;
}

const timesOf = ({ timesMs, perSecond }: Measured): Times => ({
  p50: quantile(timesMs, 0.5),
  p99: quantile(timesMs, 0.99),
  perSecond: median(perSecond),
});
const shown = ({ p50, p99, perSecond }: Times): string =>
  `${figure(p50)} / ${figure(p99)} ms, ${count(perSecond)} runs/s`;
