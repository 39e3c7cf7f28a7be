import { judge } from '../report/bars.ts';
import { openLedger, type Counted, type EventLedger } from './event-ledger.ts';
import { count, figure } from '../report/format.ts';
import type { RequestShape } from '../generator/load-order.ts';
import { joined, type Bench, type Finding, type Measurement } from '../report/measurement.ts';
import { reachedPerSecond } from '../generator/schedule.ts';
import { sendLoad } from '../generator/send-load.ts';
import { quantiles } from '../report/statistics.ts';
import { sendSteadily } from '../generator/steady-load.ts';
import type { SteadyResult } from '../generator/steady-order.ts';
import { cpuBetween, type ProcessName, type SystemUnderTest, withSystem } from '../system-under-test.ts';
import { timesToVisible, watchInserts } from './visibility.ts';

const eventsWarm = 40_000;
const secondsShort = 15;
const deadlineMs = 60_000;
const people = { persons: 10_000, profiles: 'mixed' } as const;

interface SustainedLoad {
  what: (rate: string) => string;
  key: string;
  shape: RequestShape;
  /** Events a second of the bar, and the stretch goal. */
  bar: number;
  stretch: number;
}

const singles: SustainedLoad = {
  what: (rate) => `${rate} single events/s`,
  key: 'single',
  shape: { ...people, path: '/i/v0/e/', eventsPerRequest: 1 },
  bar: 7_000,
  stretch: 10_000,
};
const batches: SustainedLoad = {
  what: (rate) => `${rate} events/s in batches of 100`,
  key: 'batch',
  shape: { ...people, path: '/batch/', eventsPerRequest: 100 },
  bar: 12_000,
  stretch: 25_000,
};

/** Everything at once at a rate that does not wait for replies, until queries see it: what is reached, lost, doubled, and how late. */
export const endToEndMeasurement: Measurement = {
  name: 'end-to-end',
  measure: (bench) =>
    withSystem(bench.stop, async (system) => {
      const ledger = await openLedger(system);
      // In both forms, so that neither is met cold: the long run would not be.
      await sendLoad(system, { ...singles.shape, requests: eventsWarm / 2, connections: 256 });
      await sendLoad(system, { ...batches.shape, requests: eventsWarm / 2 / 100, connections: 8 });
      await system.untilStored(eventsWarm, deadlineMs);
      const first = await sustain(system, ledger, singles, eventsWarm, bench);
      return joined(first.finding, (await sustain(system, ledger, batches, first.storedThen, bench)).finding);
    }),
};

async function sustain(
  system: SystemUnderTest,
  ledger: EventLedger,
  load: SustainedLoad,
  storedBefore: number,
  bench: Bench,
): Promise<{ finding: Finding; storedThen: number }> {
  const seconds = bench.lengths.minutes === null ? secondsShort : bench.lengths.minutes * 60;
  const perSecond = bench.lengths.stretch ? load.stretch : load.bar;
  const order = { ...load.shape, schedule: { requestsPerSecond: perSecond / load.shape.eventsPerRequest, seconds } };
  const storedThen = storedBefore + perSecond * seconds;
  const before = system.cpuByProcess();
  const { seen, result } = await watchInserts(system, seconds > 60 ? 250 : 100, async () => {
    const sent = await sendSteadily(system, order);
    // A backlog is reported; it does not end the bench.
    await system.untilStored(storedThen, deadlineMs + 2_000 * seconds);
    return sent;
  });
  const cpu = cpuBetween(before, system.cpuByProcess());
  const waits = await timesToVisible(system, order, result, seen);
  const counted = await ledger.count(storedThen);
  const reached = reachedPerSecond(order.schedule, result.latenciesMs) * load.shape.eventsPerRequest;
  const finding = findingOf({ load, perSecond, seconds, reached, counted, waits, result, cpu });
  for (const line of finding.lines) bench.say(`${line.what}: ${line.millrace}`);
  return { finding, storedThen };
}

interface Sustained {
  load: SustainedLoad;
  perSecond: number;
  seconds: number;
  reached: number;
  counted: Counted;
  waits: Float64Array;
  result: SteadyResult;
  cpu: Record<ProcessName, number>;
}

function findingOf({ load, perSecond, seconds, reached, counted, waits, result, cpu }: Sustained): Finding {
  const what = `end to end, ${load.what(count(perSecond))}`;
  const prefix = `end_to_end_${load.key}`;
  const [p50, p95, p99] = quantiles(waits, [0.5, 0.95, 0.99]).map((ms) => ms / 1000) as [number, number, number];
  const [ack50, ack99] = quantiles(result.latenciesMs, [0.5, 0.99]) as [number, number];
  const perThousand = (used: number): number => (used * 1e6) / (perSecond * seconds);
  const shares = (['capture', 'consumer', 'clickhouse', 'postgres'] as const).map(
    (name) => [name, perThousand(cpu[name])] as const,
  );
  const sum = shares.reduce((total, [, ms]) => total + ms, 0);
  return {
    lines: [
      {
        what: `${what}, for ${seconds} s: rate reached`,
        millrace: `${count(reached)} events/s, ${counted.lost} lost, ${counted.doubled} doubled`,
        beside: '',
        ratio: '',
        verdicts: [
          judge(reached, { least: load.bar, ...(perSecond >= load.stretch && { stretch: load.stretch }), unit: '/s' }),
          judge(counted.lost, { name: 'lost', most: 0 }),
          judge(counted.doubled, { name: 'doubled', most: 0 }),
        ],
      },
      {
        what: `${what}: time to visible, p50 / p95 / p99`,
        millrace: `${figure(p50)} / ${figure(p95)} / ${figure(p99)} s`,
        beside: '',
        ratio: '',
        verdicts: [judge(p95, { name: 'p95', most: 2, unit: ' s' }), judge(p99, { name: 'p99', most: 5, unit: ' s' })],
      },
      {
        what: `${what}: acknowledgement, p50 / p99`,
        millrace: `${figure(ack50)} / ${figure(ack99)} ms`,
        beside: '',
        ratio: '',
      },
      {
        what: `${what}: CPU for 1 000 events`,
        millrace: `${figure(sum)} ms: ${shares.map(([name, ms]) => `${name} ${figure(ms)}`).join(', ')}`,
        beside: `load generator ${figure(perThousand(result.cpuSeconds))} ms`,
        ratio: '',
      },
    ],
    figures: {
      [`${prefix}_events_per_second`]: reached,
      [`${prefix}_lost`]: counted.lost,
      [`${prefix}_doubled`]: counted.doubled,
      [`${prefix}_visible_p50_s`]: p50,
      [`${prefix}_visible_p95_s`]: p95,
      [`${prefix}_visible_p99_s`]: p99,
      [`${prefix}_ack_p99_ms`]: ack99,
      ...Object.fromEntries(shares.map(([name, ms]) => [`${prefix}_${name}_cpu_ms_per_1000`, ms])),
      [`${prefix}_generator_cpu_ms_per_1000`]: perThousand(result.cpuSeconds),
    },
  };
}
