import { residentMb } from '../support/processes.ts';
import { judge } from './report/bars.ts';
import { startChild } from './child.ts';
import { count, figure } from './report/format.ts';
import type { LoadResult } from './generator/load-order.ts';
import type { Bench, Finding, Measurement } from './report/measurement.ts';
import { slopeOf } from './report/statistics.ts';
import { type SystemUnderTest, withSystem } from './system-under-test.ts';

const minutesShort = 0.5;
const requestsAnOrder = 20_000;
/** The share of the time that is not counted for the slope: memory grows until everything has been done once. */
const warmShare = 0.2;
/** Growth over the measured time that is taken for none. */
const growthMbMax = 10;

interface Point {
  /** Minutes since the load began. */
  at: number;
  /** Resident megabytes of capture. */
  value: number;
}

/** Capture's resident memory at full load (single events over 256 connections, as fast as they are answered), over time. */
export const memoryMeasurement: Measurement = {
  name: 'memory',
  onlyByName: true,
  measure: (bench) => withSystem(bench.stop, (system) => measure(system, bench)),
};

async function measure(system: SystemUnderTest, { say, lengths }: Bench): Promise<Finding> {
  const minutes = lengths.minutes ?? minutesShort;
  const generator = startChild('generator/load-generator.ts');
  const points: Point[] = [];
  const begun = performance.now();
  const passed = (): number => (performance.now() - begun) / 60_000;
  const sampling = setInterval(
    () => points.push({ at: passed(), value: Math.max(...system.pidsOf('capture').map(residentMb)) }),
    1_000,
  );
  let [requests, retries, nextMessage] = [0, 0, 1];
  try {
    while (passed() < minutes) {
      generator.post({
        path: '/i/v0/e/',
        eventsPerRequest: 1,
        persons: 10_000,
        profiles: 'mixed',
        requests: requestsAnOrder,
        connections: 256,
        resend: true,
        port: system.capturePort,
        token: system.local.projectToken,
      });
      retries += (await generator.result<LoadResult>()).retries;
      requests += requestsAnOrder;
      if (passed() >= nextMessage)
        say(
          `memory: after ${nextMessage++} min: ${figure(points.at(-1)?.value ?? 0)} MB, ${count(requests)} events, ${retries} retries`,
        );
    }
  } finally {
    clearInterval(sampling);
    await generator.stop();
  }
  return findingOf(points, minutes, requests / (passed() * 60));
}

function findingOf(points: readonly Point[], minutes: number, perSecond: number): Finding {
  const counted = points.filter(({ at }) => at >= minutes * warmShare);
  const [slope, most] = [slopeOf(counted), Math.max(...points.map(({ value }) => value))];
  const growth = slope * minutes * (1 - warmShare);
  return {
    lines: [
      {
        what: `capture: most resident memory in ${minutes} min of full load (${count(perSecond)} single events/s)`,
        millrace: `${figure(most)} MB`,
        beside: '',
        ratio: '',
        verdicts: [judge(most, { most: 250, unit: ' MB' })],
      },
      {
        what: 'capture: growth of its memory meanwhile, by the slope behind the first fifth of the time',
        millrace: `${figure(growth)} MB (${figure(slope)} MB a minute)`,
        beside: '',
        ratio: '',
        verdicts: [judge(growth, { most: growthMbMax, unit: ' MB' })],
      },
    ],
    figures: { memory_resident_mb_most: most, memory_slope_mb_per_minute: slope, memory_minutes: minutes },
  };
}
