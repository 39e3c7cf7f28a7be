import { insertBare, readBack } from './bare-inserts.ts';
import { judge } from '../report/bars.ts';
import { besideClientLoop } from './client-inserts.ts';
import { count, figure } from '../report/format.ts';
import { type Bench, type Finding, joined, type Measurement } from '../report/measurement.ts';
import { sendLoad } from '../generator/send-load.ts';
import { cpuBetween, type SystemUnderTest, withSystem } from '../system-under-test.ts';

const eventsWarm = 40_000;
const eventsSent = 200_000;
const deadlineMs = 120_000;
/** Least share of the rate of bare inserts. */
const shareBar = 0.6;
const batches = { path: '/batch/', eventsPerRequest: 100, connections: 8, persons: 10_000, profiles: 'mixed' } as const;

/** Events a second from the first request of a burst until ClickHouse counts the last one, beside bare inserts of the same rows. */
export const burstMeasurement: Measurement = {
  name: 'burst',
  measure: (bench) => withSystem(bench.stop, (system) => measure(system, bench)),
};

async function measure(system: SystemUnderTest, { say }: Bench): Promise<Finding> {
  await sendLoad(system, { ...batches, requests: eventsWarm / 100 });
  await system.untilStored(eventsWarm, deadlineMs);
  const before = system.cpuByProcess();
  const [load] = await Promise.all([
    sendLoad(system, { ...batches, requests: eventsSent / 100 }),
    system.untilStored(eventsWarm + eventsSent, deadlineMs),
  ]);
  const seconds = (performance.timeOrigin + performance.now() - load.begunAtMs) / 1000;
  const cpu = cpuBetween(before, system.cpuByProcess());
  say(`burst: ${eventsSent} events visible after ${figure(seconds)} s (accepted after ${figure(load.seconds)} s)`);
  const stored = await readBack(system);
  const bare = await insertBare(system, stored);
  say(`burst: the bare loop of ${stored.bodies.length} inserts took ${figure(bare.seconds)} s`);

  const perSecond = eventsSent / seconds;
  const share = perSecond / bare.rowsPerSecond;
  const msOf = (used: number): number => (used * 1e6) / eventsSent;
  const shares = (['capture', 'consumer', 'clickhouse', 'postgres'] as const).map(
    (name) => [name, msOf(cpu[name])] as const,
  );
  const sum = shares.reduce((total, [, ms]) => total + ms, 0);
  const finding: Finding = {
    lines: [
      {
        what: `burst: ${count(eventsSent)} events in batches of 100, from the first request until visible`,
        millrace: `${count(perSecond)} events/s`,
        beside: `bare loop of ${stored.bodies.length} inserts, same rows: ${count(bare.rowsPerSecond)} events/s`,
        ratio: figure(share),
        verdicts: [judge(share, { least: shareBar })],
      },
      {
        what: 'burst: CPU for 1 000 events',
        millrace: `${figure(sum)} ms: ${shares.map(([name, ms]) => `${name} ${figure(ms)}`).join(', ')}`,
        beside: `load generator ${figure(msOf(load.cpuSeconds))} ms; bare: clickhouse ${figure((bare.cpuSeconds * 1e6) / stored.rows)} ms`,
        ratio: '',
      },
    ],
    figures: {
      burst_events_per_second: perSecond,
      burst_bare_events_per_second: bare.rowsPerSecond,
      burst_share_of_bare: share,
      ...Object.fromEntries(shares.map(([name, ms]) => [`burst_${name}_cpu_ms_per_1000`, ms])),
    },
  };
  return joined(finding, await besideClientLoop({ name: 'burst', perSecond, shareBar }, system));
}
