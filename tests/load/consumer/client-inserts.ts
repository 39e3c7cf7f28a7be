import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { events } from '@millrace/contracts/tables/events.ts';
import { asTheyCame, type BareRun, blockSettings, readInsert, rowsByInsert, untilMerged } from './bare-inserts.ts';
import { judge } from '../report/bars.ts';
import { count, figure } from '../report/format.ts';
import type { Finding } from '../report/measurement.ts';
import { cpuBetween, type SystemUnderTest } from '../system-under-test.ts';

/** Another team that does not exist. */
const clientTeam = 2_000_000_001;
/** As objects they take some 5 KB each. */
const rowsMax = 40_000;
const columns = Object.keys(events.columns);

type Row = Record<string, unknown>;

interface ClientRun extends BareRun {
  /** CPU seconds of the loop itself. */
  loopCpuSeconds: number;
}

/** Runs that loop and shows it beside our rate (events a second), under the same bar as beside the loop over ready bytes, which is harder. */
export async function besideClientLoop(
  { name, perSecond, shareBar }: { name: string; perSecond: number; shareBar: number },
  system: SystemUnderTest,
): Promise<Finding> {
  const run = await insertByClient(system);
  const us = (seconds: number): string => figure((seconds * 1e6) / run.rowsPerSecond / run.seconds);
  return {
    lines: [
      {
        what: `${name}: beside a loop over row objects with ClickHouse's client`,
        millrace: `${count(perSecond)} events/s`,
        beside: `${count(run.rowsPerSecond)} rows/s; CPU a row: loop ${us(run.loopCpuSeconds)} µs, clickhouse ${us(run.cpuSeconds)} µs`,
        ratio: figure(perSecond / run.rowsPerSecond),
        verdicts: [judge(perSecond / run.rowsPerSecond, { least: shareBar })],
      },
    ],
    figures: { [`${name}_client_loop_rows_per_second`]: run.rowsPerSecond },
  };
}

/**
 * The bare loop of a program that has its rows as objects: ClickHouse's own client makes JSON lines of them (`JSONEachRow`). It
 * repeats the first inserts of the consumer, same rows and sizes, 40,000 rows at most.
 * @throws when other rows arrived than were sent
 */
async function insertByClient(system: SystemUnderTest): Promise<ClientRun> {
  const batches = await readObjects(system);
  const rows = batches.reduce((sum, batch) => sum + batch.length, 0);
  const client = createClickhouse(system.storeLogin);
  try {
    await untilMerged(system);
    const [before, ownBefore, begun] = [system.cpuByProcess(), process.cpuUsage(), performance.now()];
    for (const values of batches)
      await client.insert({
        table: events.fullName,
        columns: columns as [string, ...string[]],
        values,
        format: 'JSONEachRow',
        clickhouse_settings: blockSettings,
      });
    const seconds = (performance.now() - begun) / 1000;
    const own = process.cpuUsage(ownBefore);
    const cpuSeconds = cpuBetween(before, system.cpuByProcess()).clickhouse;
    const stored = await system.store.number({
      sql: 'SELECT count() FROM analytics.events WHERE team_id = {team:Int64}',
      params: { team: clientTeam },
    });
    if (stored !== rows) throw new Error(`the client's loop stored ${stored} rows instead of ${rows}`);
    return { seconds, rowsPerSecond: rows / seconds, cpuSeconds, loopCpuSeconds: (own.user + own.system) / 1e6 };
  } finally {
    await client.close();
  }
}

async function readObjects(system: SystemUnderTest): Promise<Row[][]> {
  const selected = columns.map((name) => `\`${name}\``).join(', ');
  const sql = `SELECT ${selected} FROM analytics.events WHERE team_id = {team:Int64} AND inserted_at = fromUnixTimestamp64Micro({at:Int64}) ${asTheyCame} FORMAT JSONEachRow`;
  const batches: Row[][] = [];
  let total = 0;
  for (const { at, rows } of await rowsByInsert(system)) {
    if (total > 0 && total + rows > rowsMax) break;
    total += rows;
    const response = await readInsert(system, sql, { at });
    batches.push(
      response
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => ({ ...(JSON.parse(line) as Row), team_id: clientTeam })),
    );
  }
  return batches;
}
