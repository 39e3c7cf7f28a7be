import { residentMb } from '../../support/processes.ts';
import { judge } from '../report/bars.ts';
import { captureShapes, type CaptureBars, type CaptureShape } from './capture-shapes.ts';
import { startChild, type Child } from '../child.ts';
import { figure, spread } from '../report/format.ts';
import type { LoadOrder, LoadResult } from '../generator/load-order.ts';
import { joined, type Bench, type Finding } from '../report/measurement.ts';
import { median, spreadOf } from '../report/statistics.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

interface CaptureComparison extends Finding {
  /** Median rate of the rounds of single events, each sent after the reply to the last one. */
  singlesPerSecond: number;
}

export interface CaptureOptions {
  rounds: number;
  bars: CaptureBars;
  residentMbMax: number;
  /** Begins the names of lines. */
  title: string;
  /** Begins the names of figures. */
  prefix: string;
}

/**
 * CPU of capture's process for a request, durable answer included, against that of a server that only parses the body:
 * both under the same load, in turn, so that whatever else the machine does meets both. The consumer should be held.
 */
export async function compareCapture(
  system: SystemUnderTest,
  options: CaptureOptions,
  { say }: Bench,
): Promise<CaptureComparison> {
  const [generator, nothing] = [startChild('generator/load-generator.ts'), startChild('capture/do-nothing-server.ts')];
  try {
    const { port } = await nothing.result<{ port: number }>();
    const sides: Sides = {
      ours: { port: system.capturePort, cpuSeconds: () => system.cpuByProcess().capture },
      theirs: { port, cpuSeconds: nothing.cpuSeconds },
    };
    const findings: Finding[] = [];
    let singlesPerSecond = 0;
    for (const shape of captureShapes) {
      const rounds = await compare({
        shape,
        token: system.local.projectToken,
        rounds: options.rounds,
        sides,
        generator,
        say,
      });
      if (shape.key === 'single') singlesPerSecond = median(rounds.map(({ ours }) => ours.perSecond));
      findings.push(findingOf(shape, rounds, options));
    }
    const resident = Math.max(...system.pidsOf('capture').map(residentMb));
    return { ...joined(...findings, residentFinding(resident, options)), singlesPerSecond };
  } finally {
    await Promise.all([generator.stop(), nothing.stop()]);
  }
}

interface Side {
  port: number;
  cpuSeconds: () => number;
}

interface Sides {
  ours: Side;
  theirs: Side;
}

interface Cost {
  cpuUs: number;
  perSecond: number;
}

interface Round {
  ours: Cost;
  theirs: Cost;
}

interface Comparing {
  shape: CaptureShape;
  token: string;
  rounds: number;
  sides: Sides;
  generator: Child;
  say: Bench['say'];
}

/** The first round warms up both and does not count. */
async function compare({ shape, token, rounds, sides, generator, say }: Comparing): Promise<Round[]> {
  const done: Round[] = [];
  for (let round = 0; round <= rounds; round++) {
    const order = { ...shape.shape, requests: shape.requests, connections: shape.connections, token };
    const ours = await load({ ...order, port: sides.ours.port }, sides.ours, generator);
    const theirs = await load({ ...order, port: sides.theirs.port }, sides.theirs, generator);
    say(
      `${shape.what}: round ${round} of ${rounds}: ${figure(ours.cpuUs)} µs, do-nothing ${figure(theirs.cpuUs)} µs: ${figure(ours.cpuUs / theirs.cpuUs)} times ` +
        `(${figure(ours.perSecond)} and ${figure(theirs.perSecond)} requests/s)`,
    );
    if (round > 0) done.push({ ours, theirs });
  }
  return done;
}

async function load(order: LoadOrder, side: Side, generator: Child): Promise<Cost> {
  const before = side.cpuSeconds();
  generator.post(order);
  const { seconds } = await generator.result<LoadResult>();
  return { cpuUs: ((side.cpuSeconds() - before) * 1e6) / order.requests, perSecond: order.requests / seconds };
}

/** The ratio is the middle one of the rounds' own, so that a slow minute of the machine falls on both of its sides. */
function findingOf(
  { what, key, shape, beside }: CaptureShape,
  rounds: readonly Round[],
  { bars, title, prefix }: CaptureOptions,
): Finding {
  const ours = spreadOf(rounds.map((round) => round.ours.cpuUs));
  const theirs = spreadOf(rounds.map((round) => round.theirs.cpuUs));
  const times = spreadOf(rounds.map((round) => round.ours.cpuUs / round.theirs.cpuUs));
  return {
    lines: [
      {
        what: `${title}: ${what}, CPU a request`,
        millrace: spread(ours, 'µs'),
        beside: `${beside}: ${spread(theirs, 'µs')}`,
        ratio: `${spread(times, 'times')}`,
        verdicts: [judge(times.median, bars[key])],
      },
    ],
    figures: {
      [`${prefix}_${key}_cpu_us`]: ours.median,
      [`${prefix}_${key}_nothing_cpu_us`]: theirs.median,
      [`${prefix}_${key}_times_baseline`]: times.median,
      [`${prefix}_${key}_events_per_second`]:
        median(rounds.map((round) => round.ours.perSecond)) * shape.eventsPerRequest,
    },
  };
}

function residentFinding(mb: number, { residentMbMax, title, prefix }: CaptureOptions): Finding {
  const verdicts = [judge(mb, { most: residentMbMax, unit: ' MB' })];
  return {
    lines: [
      {
        what: `${title}: resident memory at the end of this load`,
        millrace: `${figure(mb)} MB`,
        beside: '',
        ratio: '',
        verdicts,
      },
    ],
    figures: { [`${prefix}_resident_mb`]: mb },
  };
}
