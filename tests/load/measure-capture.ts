import { cpuSeconds } from './process-cpu.ts';
import { type Child, startChild } from './child.ts';
import { figure, spread } from './format.ts';
import type { LoadOrder, LoadResult } from './load-order.ts';
import type { Bench, Finding, Measurement } from './measurement.ts';
import { type Spread, spreadOf } from './statistics.ts';
import { type SystemUnderTest, withSystem } from './system-under-test.ts';

const rounds = 6;
const persons = 1_000;

interface Shape {
  what: string;
  key: string;
  order: Omit<LoadOrder, 'port' | 'token'>;
}

const shapes: readonly Shape[] = [
  {
    what: 'capture: single 1 KB events',
    key: 'single',
    order: { path: '/i/v0/e/', requests: 20_000, eventsPerRequest: 1, connections: 64, persons },
  },
  {
    what: 'capture: batches of 100 such events',
    key: 'batch',
    order: { path: '/batch/', requests: 600, eventsPerRequest: 100, connections: 8, persons },
  },
];

/** CPU of capture's process for a request, durable answer included, against that of a server that only parses the body. */
export const captureMeasurement: Measurement = {
  name: 'capture',
  measure: (bench) => withSystem(bench.stop, (system) => withParts(system, bench)),
};

async function withParts(system: SystemUnderTest, bench: Bench): Promise<Finding> {
  const [generator, nothing] = [startChild('load-generator.ts'), startChild('do-nothing-server.ts')];
  // The consumer would work on what arrives, now beside one side's rounds and now beside the other's: it is held.
  const consumer = system.local.processes['consumer'];
  process.kill(consumer, 'SIGSTOP');
  try {
    const { port } = await nothing.answer<{ port: number }>();
    const ours = { pid: system.local.processes['capture'], port: Number(new URL(system.local.captureUrl).port) };
    const finding: Finding = { lines: [], figures: {} };
    for (const shape of shapes) {
      const found = await compare(shape, system.local.projectToken, { ours, theirs: { pid: nothing.pid, port } }, generator, bench);
      finding.lines.push(...found.lines);
      Object.assign(finding.figures, found.figures);
    }
    return finding;
  } finally {
    process.kill(consumer, 'SIGCONT');
    await Promise.all([generator.stop(), nothing.stop()]);
  }
}

interface Server {
  pid: number;
  port: number;
}

interface Servers {
  ours: Server;
  theirs: Server;
}

/** Alternates between the two servers, so that whatever else the machine does meets both. The first round warms up. */
async function compare(shape: Shape, token: string, { ours, theirs }: Servers, generator: Child, { say }: Bench): Promise<Finding> {
  const [oursUs, theirsUs]: [number[], number[]] = [[], []];
  let fastest = 0;
  for (let round = 0; round <= rounds; round++) {
    const mine = await oneRound({ ...shape.order, token, port: ours.port }, ours.pid, generator);
    const other = await oneRound({ ...shape.order, token, port: theirs.port }, theirs.pid, generator);
    say(`${shape.what}: round ${round} of ${rounds}: ${figure(mine.cpuUs)} µs, do-nothing ${figure(other.cpuUs)} µs (${figure(mine.perSecond)} and ${figure(other.perSecond)} requests/s)`);
    if (round === 0) continue;
    oursUs.push(mine.cpuUs);
    theirsUs.push(other.cpuUs);
    fastest = Math.max(fastest, mine.perSecond);
  }
  return findingOf(shape, spreadOf(oursUs), spreadOf(theirsUs), fastest);
}

async function oneRound(order: LoadOrder, pid: number, generator: Child): Promise<{ cpuUs: number; perSecond: number }> {
  const before = cpuSeconds(pid);
  generator.tell(order);
  const { seconds } = await generator.answer<LoadResult>();
  return { cpuUs: ((cpuSeconds(pid) - before) * 1e6) / order.requests, perSecond: order.requests / seconds };
}

function findingOf({ what, key, order }: Shape, ours: Spread, theirs: Spread, perSecond: number): Finding {
  const ratio = theirs.median / ours.median;
  return {
    lines: [{ what: `${what}, CPU a request`, millrace: spread(ours, 'µs'), beside: `node:http + JSON.parse: ${spread(theirs, 'µs')}`, ratio: figure(ratio) }],
    figures: {
      [`capture_${key}_cpu_us`]: ours.median,
      [`capture_${key}_nothing_cpu_us`]: theirs.median,
      [`capture_${key}_ratio`]: ratio,
      [`capture_${key}_events_per_second_best`]: perSecond * order.eventsPerRequest,
    },
  };
}
