import { judge } from '../report/bars.ts';
import { count, figure } from '../report/format.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import { quantiles } from '../report/statistics.ts';
import { sendSteadily } from '../generator/steady-load.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

interface Options {
  /** Single events a second, on a schedule. */
  perSecond: number;
  seconds: number;
  p99MsMax: number;
  title: string;
  prefix: string;
}

/** Milliseconds from the moment when a single event was due until capture's 200, at a steady rate. */
export async function measureAcknowledgement(
  system: SystemUnderTest,
  { perSecond, seconds, p99MsMax, title, prefix }: Options,
  { say }: Bench,
): Promise<Finding> {
  const load = await sendSteadily(system, {
    path: '/i/v0/e/',
    eventsPerRequest: 1,
    persons: 1_024,
    schedule: { requestsPerSecond: perSecond, seconds },
  });
  const [p50, p95, p99, most] = quantiles(load.latenciesMs, [0.5, 0.95, 0.99, 1]) as [number, number, number, number];
  const [late] = quantiles(load.lateMs, [0.99]) as [number];
  say(
    `acknowledgement at ${count(perSecond)} events/s: p50 ${figure(p50)} ms, p95 ${figure(p95)}, p99 ${figure(p99)}, longest ${figure(most)}; ${load.connections} connections, ${load.retries} retries, ` +
      `generator ${figure((load.cpuSeconds * 1e6) / load.latenciesMs.length)} µs a request, itself late by ${figure(late)} ms (p99)`,
  );
  return {
    lines: [
      {
        what: `${title}: acknowledgement at half load (${count(perSecond)} single events/s on a schedule), p50 / p99`,
        millrace: `${figure(p50)} / ${figure(p99)} ms`,
        beside: '',
        ratio: '',
        verdicts: [judge(p99, { most: p99MsMax, unit: ' ms' })],
      },
    ],
    figures: {
      [`${prefix}_ack_rate`]: perSecond,
      [`${prefix}_ack_p50_ms`]: p50,
      [`${prefix}_ack_p99_ms`]: p99,
      [`${prefix}_ack_longest_ms`]: most,
    },
  };
}
