import { delay } from '@millrace/runtime/clock.ts';
import { judge } from '../report/bars.ts';
import { caughtUpAtMs, type Sample } from './catch-up.ts';
import { openLedger, type EventLedger } from './event-ledger.ts';
import { count, figure } from '../report/format.ts';
import type { Bench, Finding, Measurement } from '../report/measurement.ts';
import { sendLoad } from '../generator/send-load.ts';
import { sendSteadily } from '../generator/steady-load.ts';
import { type SystemUnderTest, withSystem } from '../system-under-test.ts';

const eventsWarm = 40_000;
const eventsPerSecond = 6_000;
const leadSeconds = 3;
const secondsShort = 8;
const readyDeadlineMs = 60_000;
const shape = { path: '/batch/', eventsPerRequest: 100, persons: 10_000, profiles: 'mixed' } as const;

/**
 * Time after an outage until no lag is left. At half load ClickHouse stops answering, like a machine that
 * hangs or cannot be reached; when its time is over it is killed, so that nothing that only slept comes back, and the launcher
 * starts it again.
 */
export const outageMeasurement: Measurement = {
  name: 'outage',
  measure: (bench) =>
    withSystem(bench.stop, async (system) => {
      const ledger = await openLedger(system);
      await sendLoad(system, { ...shape, requests: eventsWarm / 100, connections: 8 });
      await system.untilStored(eventsWarm, readyDeadlineMs);
      return measure(system, ledger, bench.lengths.outageSeconds ?? secondsShort, bench);
    }),
};

async function measure(
  system: SystemUnderTest,
  ledger: EventLedger,
  awaySeconds: number,
  { say }: Bench,
): Promise<Finding> {
  // Time enough under load for twice the bar.
  const schedule = {
    requestsPerSecond: eventsPerSecond / shape.eventsPerRequest,
    seconds: leadSeconds + 3 * awaySeconds,
  };
  const all = eventsWarm + schedule.seconds * eventsPerSecond;
  const [load, { wentMs, cameMs, samples }] = await Promise.all([
    sendSteadily(system, { ...shape, schedule }),
    takeAway(system, ledger, awaySeconds).then(async (outage) => {
      say(`outage: ClickHouse answers again after ${figure((outage.cameMs - outage.wentMs) / 1000)} s`);
      return { ...outage, samples: await sampleUntil(system, all, 4 * awaySeconds * 1000 + 60_000) };
    }),
  ]);
  const caughtUpMs =
    caughtUpAtMs(samples, { begunAtMs: load.begunAtMs, eventsPerSecond, seconds: schedule.seconds }, cameMs) ??
    Date.now();
  return findingOf({
    awaySeconds: (cameMs - wentMs) / 1000,
    catchUpSeconds: (caughtUpMs - cameMs) / 1000,
    ...(await ledger.count(all)),
  });
}

async function takeAway(
  system: SystemUnderTest,
  ledger: EventLedger,
  awaySeconds: number,
): Promise<{ wentMs: number; cameMs: number }> {
  const signal = (which: NodeJS.Signals): void =>
    system.pidsOf('clickhouse').forEach((pid) => void process.kill(pid, which));
  await delay(leadSeconds * 1000);
  await ledger.record();
  const wentMs = Date.now();
  signal('SIGSTOP');
  await delay(awaySeconds * 1000);
  signal('SIGKILL');
  await untilReply(system);
  return { wentMs, cameMs: Date.now() };
}

async function untilReply({ store }: SystemUnderTest): Promise<void> {
  for (const deadline = Date.now() + readyDeadlineMs; ; await delay(50)) {
    try {
      return void (await store.send({ sql: 'SELECT 1' }));
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** How many of the load's events are stored, five times a second until all are. */
async function sampleUntil(system: SystemUnderTest, all: number, deadlineMs: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const deadline = Date.now() + deadlineMs; ; await delay(200)) {
    const stored = await system.storedEvents();
    samples.push({ atMs: Date.now(), stored: stored - eventsWarm });
    if (stored >= all) return samples;
    if (Date.now() > deadline)
      throw new Error(`only ${stored} of ${all} events were stored within ${deadlineMs / 1000} s`);
  }
}

interface Outage {
  awaySeconds: number;
  catchUpSeconds: number;
  lost: number;
  doubled: number;
}

function findingOf({ awaySeconds, catchUpSeconds, lost, doubled }: Outage): Finding {
  const share = catchUpSeconds / awaySeconds;
  return {
    lines: [
      {
        what: `ClickHouse away for ${figure(awaySeconds)} s at half load (${count(eventsPerSecond)} events/s): caught up after`,
        millrace: `${figure(catchUpSeconds)} s; ${lost} lost, ${doubled} doubled`,
        beside: '',
        ratio: `${figure(share)} of the outage`,
        verdicts: [
          judge(share, { most: 1 }),
          judge(lost, { name: 'lost', most: 0 }),
          judge(doubled, { name: 'doubled', most: 0 }),
        ],
      },
    ],
    figures: {
      outage_seconds: awaySeconds,
      outage_catch_up_seconds: catchUpSeconds,
      outage_lost: lost,
      outage_doubled: doubled,
    },
  };
}
