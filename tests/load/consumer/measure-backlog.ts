import { insertBare, readBack, rowsByInsert, type BareRun } from './bare-inserts.ts';
import { judge } from '../report/bars.ts';
import { consumerCounter } from './consumer-figures.ts';
import { besideClientLoop } from './client-inserts.ts';
import { count, figure } from '../report/format.ts';
import { type Bench, type Finding, joined, type Measurement } from '../report/measurement.ts';
import { sendLoad } from '../generator/send-load.ts';
import { median } from '../report/statistics.ts';
import { cpuBetween, type ProcessName, type SystemUnderTest, withSystem } from '../system-under-test.ts';

const eventsWarm = 40_000;
const eventsWaiting = 300_000;
const deadlineMs = 120_000;
/** Least share of the rate of bare inserts. */
const shareBar = 0.75;
const batches = { path: '/batch/', eventsPerRequest: 100, connections: 8, persons: 10_000, profiles: 'mixed' } as const;

/** Rate of the consumer alone, from a full backlog, beside bare inserts of the same rows: 20 % identified, 5 % with property changes. */
export const backlogMeasurement: Measurement = {
  name: 'backlog',
  measure: (bench) => withSystem(bench.stop, (system) => measure(system, bench)),
};

interface Drained {
  seconds: number;
  cpu: Record<ProcessName, number>;
  statements: number;
  /** Rows of each insert. */
  sizes: number[];
}

async function measure(system: SystemUnderTest, { say }: Bench): Promise<Finding> {
  await sendLoad(system, { ...batches, requests: eventsWarm / 100 });
  await system.untilStored(eventsWarm, deadlineMs);
  const drained = await drain(system, say);
  say(
    `backlog: ${eventsWaiting} events visible after ${figure(drained.seconds)} s, in ${drained.sizes.length} inserts; the same again, bare …`,
  );
  const bare = await insertBare(system, await readBack(system));
  say(`backlog: the bare loop took ${figure(bare.seconds)} s`);
  return joined(
    findingOf(drained, bare),
    await besideClientLoop({ name: 'backlog', perSecond: eventsWaiting / drained.seconds, shareBar }, system),
  );
}

/** The consumer is held while the log fills, then let go. */
async function drain(system: SystemUnderTest, say: Bench['say']): Promise<Drained> {
  const statementsBefore = await consumerCounter(system, statementsTotal);
  const warmInserts = (await rowsByInsert(system)).length;
  await system.withHeld('consumer', async () => {
    const { seconds } = await sendLoad(system, { ...batches, requests: eventsWaiting / 100 });
    say(`backlog: ${eventsWaiting} events lie in the log after ${figure(seconds)} s`);
  });
  const before = system.cpuByProcess();
  const begun = performance.now();
  await system.untilStored(eventsWarm + eventsWaiting, deadlineMs);
  const seconds = (performance.now() - begun) / 1000;
  const cpu = cpuBetween(before, system.cpuByProcess());
  const statements = (await consumerCounter(system, statementsTotal)) - statementsBefore;
  return { seconds, cpu, statements, sizes: (await rowsByInsert(system)).slice(warmInserts).map(({ rows }) => rows) };
}

const statementsTotal = 'millrace_consumer_postgres_statements_total';

function findingOf({ seconds, cpu, statements, sizes }: Drained, bare: BareRun): Finding {
  const perSecond = eventsWaiting / seconds;
  const share = perSecond / bare.rowsPerSecond;
  const cpuUs = ((cpu.consumer + cpu.postgres) * 1e6) / eventsWaiting;
  const perThousand = (statements * 1_000) / eventsWaiting;
  const us = (name: ProcessName): string => figure((cpu[name] * 1e6) / eventsWaiting);
  return {
    lines: [
      {
        what: `consumer alone: ${count(eventsWaiting)} waiting events (20 % identified, 5 % change their person), until visible`,
        millrace: `${count(perSecond)} events/s`,
        beside: `bare loop, same rows and batches: ${count(bare.rowsPerSecond)} events/s`,
        ratio: figure(share),
        verdicts: [judge(share, { least: shareBar })],
      },
      {
        what: 'consumer alone: CPU of consumer and Postgres an event',
        millrace: `${figure(cpuUs)} µs: consumer ${us('consumer')}, Postgres ${us('postgres')}`,
        beside: `ClickHouse ${us('clickhouse')} µs; bare ${figure((bare.cpuSeconds * 1e6) / bare.rowsPerSecond / bare.seconds)} µs`,
        ratio: '',
        verdicts: [judge(cpuUs, { most: 20, unit: ' µs' })],
      },
      {
        what: 'consumer alone: rows of an insert, middle (largest)',
        millrace: `${count(median(sizes))} (${count(Math.max(...sizes))}), ${sizes.length} inserts`,
        beside: '',
        ratio: '',
      },
      {
        what: 'consumer alone: Postgres statements for 1 000 events',
        millrace: figure(perThousand),
        beside: '',
        ratio: '',
        verdicts: [judge(perThousand, { most: 10 })],
      },
    ],
    figures: {
      backlog_events_per_second: perSecond,
      backlog_bare_events_per_second: bare.rowsPerSecond,
      backlog_share_of_bare: share,
      backlog_consumer_cpu_us: (cpu.consumer * 1e6) / eventsWaiting,
      backlog_postgres_cpu_us: (cpu.postgres * 1e6) / eventsWaiting,
      backlog_clickhouse_cpu_us: (cpu.clickhouse * 1e6) / eventsWaiting,
      backlog_rows_per_insert: median(sizes),
      backlog_statements_per_1000: perThousand,
    },
  };
}
