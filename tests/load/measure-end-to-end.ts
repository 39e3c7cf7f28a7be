import { events } from '@millrace/clickhouse/tables.ts';
import { startChild } from './child.ts';
import { count, figure } from './format.ts';
import type { LoadResult } from './load-order.ts';
import type { Bench, Finding, Measurement } from './measurement.ts';
import { cpuBetween, type SystemUnderTest, withSystem } from './system-under-test.ts';

const eventsSent = 100_000;
const eventsWarm = 20_000;
const batchSize = 100;
const deadlineMs = 60_000;

/** Events a second from the first request until ClickHouse counts the last one, beside bare inserts of the same rows. */
export const endToEndMeasurement: Measurement = {
  name: 'end-to-end',
  measure: (bench) => withSystem(bench.stop, (system) => measure(system, bench)),
};

interface Run {
  seconds: number;
  /** CPU seconds by process. */
  cpu: ReturnType<typeof cpuBetween>;
}

async function measure(system: SystemUnderTest, { say }: Bench): Promise<Finding> {
  await send(system, eventsWarm, eventsWarm);
  const whole = await send(system, eventsSent, eventsWarm + eventsSent);
  say(`end to end: ${eventsSent} events visible after ${figure(whole.seconds)} s (accepted after ${figure(whole.acceptedSeconds)} s)`);
  const bodies = await readBack(system);
  say(`end to end: the consumer stored them in ${bodies.length} inserts; the same again, bare …`);
  const bare = await insertBare(system, bodies);
  say(`end to end: bare inserts took ${figure(bare.seconds)} s`);
  return findingOf(whole, bare, bodies.length);
}

async function send(system: SystemUnderTest, amount: number, storedThen: number): Promise<Run & { acceptedSeconds: number }> {
  const generator = startChild('load-generator.ts');
  try {
    const before = system.cpuByProcess();
    const begun = performance.now();
    generator.tell({
      port: Number(new URL(system.local.captureUrl).port),
      path: '/batch/',
      token: system.local.projectToken,
      requests: amount / batchSize,
      eventsPerRequest: batchSize,
      connections: 8,
      persons: 1_000,
    });
    const [load] = await Promise.all([generator.answer<LoadResult>(), system.untilStored(storedThen, deadlineMs)]);
    return { seconds: (performance.now() - begun) / 1000, acceptedSeconds: load.seconds, cpu: cpuBetween(before, system.cpuByProcess()) };
  } finally {
    await generator.stop();
  }
}

/** A team that nobody has: its rows meet no others when ClickHouse merges. */
const bareTeam = 2_000_000_000;
const columns = Object.keys(events.columns).map((name) => `\`${name}\``);

/** The rows as the consumer stored them, one body for each of its inserts (rows of one insert share `inserted_at`). */
async function readBack({ store, local }: SystemUnderTest): Promise<Buffer[]> {
  const params = { team: local.projectId, bare: bareTeam };
  const times = await store.ask({ sql: `SELECT DISTINCT toUnixTimestamp64Micro(inserted_at) AS at FROM analytics.events WHERE team_id = {team:Int64} ORDER BY at`, params });
  const bodies: Buffer[] = [];
  for (const at of times.toString().trim().split('\n')) {
    const selected = ['toInt64({bare:Int64}) AS `team_id`', ...columns.slice(1)].join(', ');
    const sql = `SELECT ${selected} FROM analytics.events AS e WHERE e.team_id = {team:Int64} AND inserted_at = fromUnixTimestamp64Micro({at:Int64}) FORMAT RowBinary`;
    bodies.push(await store.ask({ sql, params: { ...params, at } }));
  }
  return bodies;
}

async function insertBare(system: SystemUnderTest, bodies: readonly Buffer[]): Promise<Run> {
  const sql = `INSERT INTO ${events.name} (${columns.join(', ')}) FORMAT RowBinary`;
  // As the consumer's: one request is one block.
  const settings = { async_insert: '0', input_format_parallel_parsing: '0', max_insert_block_size: '10000000', min_insert_block_size_rows: '10000000', min_insert_block_size_bytes: '2000000000', wait_end_of_query: '1' };
  const before = system.cpuByProcess();
  const begun = performance.now();
  for (const rows of bodies) await system.store.ask({ sql, rows, settings });
  const seconds = (performance.now() - begun) / 1000;
  const cpu = cpuBetween(before, system.cpuByProcess());
  const stored = await system.store.number({ sql: 'SELECT count() FROM analytics.events WHERE team_id = {team:Int64}', params: { team: bareTeam } });
  if (stored !== eventsSent + eventsWarm) throw new Error(`the bare loop stored ${stored} rows instead of ${eventsSent + eventsWarm}`);
  return { seconds, cpu };
}

function findingOf(whole: Run, bare: Run, inserts: number): Finding {
  const bareEvents = eventsSent + eventsWarm;
  const perSecond = eventsSent / whole.seconds;
  const barePerSecond = bareEvents / bare.seconds;
  const msOf = (seconds: number, amount: number): number => (seconds * 1e6) / amount;
  const ours = (['capture', 'consumer', 'clickhouse', 'postgres'] as const).map((name) => [name, msOf(whole.cpu[name], eventsSent)] as const);
  const bareMs = msOf(bare.cpu.clickhouse, bareEvents);
  const sum = ours.reduce((total, [, ms]) => total + ms, 0);
  return {
    lines: [
      { what: `end to end: ${count(eventsSent)} events in batches of 100, until visible`, millrace: `${count(perSecond)} events/s`, beside: `bare loop of ${inserts} inserts, same rows: ${count(barePerSecond)} events/s`, ratio: figure(perSecond / barePerSecond) },
      { what: 'end to end: CPU for 1 000 events', millrace: `${figure(sum)} ms: ${ours.map(([name, ms]) => `${name} ${figure(ms)}`).join(', ')}`, beside: `clickhouse ${figure(bareMs)} ms`, ratio: figure(bareMs / sum) },
    ],
    figures: {
      end_to_end_events_per_second: perSecond,
      bare_insert_events_per_second: barePerSecond,
      ...Object.fromEntries(ours.map(([name, ms]) => [`end_to_end_${name}_cpu_ms_per_1000`, ms])),
      bare_insert_clickhouse_cpu_ms_per_1000: bareMs,
    },
  };
}
