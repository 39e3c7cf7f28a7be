import { events } from '@millrace/contracts/tables/events.ts';
import { delay } from '@millrace/runtime/clock.ts';
import { cpuBetween, type SystemUnderTest } from '../system-under-test.ts';

/** Rows as the consumer stored them: a body for each of its inserts. */
interface StoredInserts {
  bodies: readonly Buffer[];
  rows: number;
}

export interface BareRun {
  seconds: number;
  rowsPerSecond: number;
  /** CPU seconds of ClickHouse. */
  cpuSeconds: number;
}

/** A minute: by then every merge is over. */
const triesMax = 1_200;

/** A team that does not exist. */
const bareTeam = 2_000_000_000;
const columns = Object.keys(events.columns).map((name) => `\`${name}\``);

/** As the consumer inserts: one request is one block. */
export const blockSettings = {
  async_insert: 0,
  input_format_parallel_parsing: 0,
  max_insert_block_size: '10000000',
  min_insert_block_size_rows: '10000000',
  min_insert_block_size_bytes: '2000000000',
  optimize_on_insert: 0,
  wait_end_of_query: 1,
} as const;

/** How many rows each of the consumer's inserts had, in order (rows of one insert share `inserted_at`). */
export async function rowsByInsert({ store, local }: SystemUnderTest): Promise<{ at: string; rows: number }[]> {
  const sql =
    'SELECT toUnixTimestamp64Micro(inserted_at) AS at, count() FROM analytics.events WHERE team_id = {team:Int64} GROUP BY at ORDER BY at';
  const response = await store.send({ sql, params: { team: local.projectId } });
  return response
    .toString()
    .trim()
    .split('\n')
    .map((line) => {
      const [at = '', rows] = line.split('\t');
      return { at, rows: Number(rows) };
    });
}

/** As a program has them that writes what it got: nearly in the order in which they came, not in that of the table. */
export const asTheyCame = 'ORDER BY created_at, uuid';

/** Reads all events of the demo project back, insert by insert, as rows of a team that nobody has. */
export async function readBack(system: SystemUnderTest): Promise<StoredInserts> {
  const inserts = await rowsByInsert(system);
  const selected = ['toInt64({bare:Int64}) AS `team_id`', ...columns.slice(1)].join(', ');
  const sql = `SELECT ${selected} FROM analytics.events AS e WHERE e.team_id = {team:Int64} AND inserted_at = fromUnixTimestamp64Micro({at:Int64}) ${asTheyCame} FORMAT RowBinary`;
  const bodies: Buffer[] = [];
  for (const { at } of inserts) bodies.push(await readInsert(system, sql, { bare: bareTeam, at }));
  return { bodies, rows: inserts.reduce((sum, { rows }) => sum + rows, 0) };
}

/**
 * Rows of the demo project, read in small blocks: all columns of all rows at once can be more than ClickHouse's memory. The answer
 * begins only when all of it was read, because ClickHouse cuts an answer off when it runs out of memory in the middle.
 */
export function readInsert(
  { store, local }: SystemUnderTest,
  sql: string,
  params: Record<string, string | number>,
): Promise<Buffer> {
  return withinMemory(() =>
    store.send({
      sql,
      params: { team: local.projectId, ...params },
      settings: { max_threads: '1', max_block_size: '2000', wait_end_of_query: '1' },
    }),
  );
}

/**
 * The bare loop: inserts the rows into the same table in the same batch sizes, one insert after the other, as the consumer
 * does (one request is one block), with nothing else to do. Begins when ClickHouse has nothing left to merge.
 * @throws when other rows arrived than were sent
 */
export async function insertBare(system: SystemUnderTest, { bodies, rows }: StoredInserts): Promise<BareRun> {
  const sql = `INSERT INTO ${events.fullName} (${columns.join(', ')}) FORMAT RowBinary`;
  const settings = Object.fromEntries(Object.entries(blockSettings).map(([name, value]) => [name, String(value)]));
  await untilMerged(system);
  const before = system.cpuByProcess();
  const begun = performance.now();
  for (const body of bodies) await withinMemory(() => system.store.send({ sql, rows: body, settings }));
  const seconds = (performance.now() - begun) / 1000;
  const cpuSeconds = cpuBetween(before, system.cpuByProcess()).clickhouse;
  const stored = await system.store.number({
    sql: 'SELECT count() FROM analytics.events WHERE team_id = {team:Int64}',
    params: { team: bareTeam },
  });
  if (stored !== rows) throw new Error(`the bare loop stored ${stored} rows instead of ${rows}`);
  return { seconds, rowsPerSecond: rows / seconds, cpuSeconds };
}

/** ClickHouse refuses queries while merges take its memory: then the query is repeated, as the consumer does. */
async function withinMemory<Reply>(send: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      // The name of the error comes last, and only the beginning of a long message is stored.
      if (!(error instanceof Error && error.message.includes('memory limit exceeded')) || tries === triesMax)
        throw error;
      await delay(50);
    }
  }
}

/** Waits until ClickHouse merges nothing; at most 10 s, then it is begun anyway. */
export async function untilMerged({ store }: SystemUnderTest): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await delay(100)) {
    if ((await store.number({ sql: 'SELECT count() FROM system.merges' })) === 0) return;
  }
}
