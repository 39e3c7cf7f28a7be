import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { migrateClickhouse } from '@millrace/clickhouse/migrations/migrate.ts';
import type { CapturedEvent } from '@millrace/captured-event/captured-event.ts';
import { readDeadLetters, type DeadLetter } from '@millrace/captured-event/dead-letter.ts';
import { encodeBundle, type BundleEntry } from '@millrace/captured-event/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import type { EventLog } from '@millrace/event-log/event-log.ts';
import { openEventLog } from '@millrace/event-log/open-event-log.ts';
import { partitionOf } from '@millrace/event-log/partition.ts';
import { eventLogSettings } from '@millrace/event-log/settings.ts';
import { fileSettings } from '@millrace/object-storage/storage-settings.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { roleUrl, setRolePasswords } from '@millrace/postgres/role-passwords.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { prepareClickhouse, randomTeamId, type TestClickhouse } from '@millrace/testkit/test-clickhouse.ts';
import { createTestDatabase } from '@millrace/testkit/test-postgres.ts';
import type { ConsumerConfig } from '../config.ts';
import type { ChildOrder } from './consumer-child.ts';

const quiet = { info: () => undefined };
const consumerPassword = 'consumer-tests';

/** An event as a test writes it: what is not said is filled in. */
export type TestEvent = Partial<CapturedEvent> & { properties?: string };

/** Real engines and a real log with a project of its own. */
export interface Harness {
  teamId: number;
  token: string;
  config: ConsumerConfig;
  log: EventLog;
  sql: ReturnType<typeof createPool>;
  entry(event: TestEvent): BundleEntry;
  /** Appends events in bundles of at most `perBundle`, each in its person's partition. Returns their uuids. */
  send(events: readonly TestEvent[], options?: { lane?: Lane; perBundle?: number }): Promise<string[]>;
  /** Rows of ClickHouse; `{team:Int64}` is the project. */
  rows<Row>(query: string): Promise<Row[]>;
  counts(): Promise<{ rows: number; uuids: number }>;
  deadLetters(): Promise<{ letter: DeadLetter; payload: Buffer }[]>;
  startChild(dieAt?: ChildOrder['dieAt'], changes?: Partial<ConsumerConfig>): ChildConsumer;
  close(): Promise<void>;
}

interface ChildConsumer {
  process: ChildProcess;
  output(): string;
  /** Resolves when the process has ended, however. */
  exited: Promise<NodeJS.Signals | number | null>;
}

/** Migrates the run's ClickHouse, once. */
function prepareTestClickhouse(): Promise<TestClickhouse> {
  return prepareClickhouse(async ({ url, admin }) => {
    await migrateClickhouse({ url, user: admin.username, password: admin.password }, { log: quiet });
  });
}

/** `eventLog`: settings of the log; one in a folder of its own unless given. */
export async function createHarness(eventLog: Record<string, string> = {}): Promise<Harness> {
  const teamId = randomTeamId();
  const token = `phc_${randomUUID().replaceAll('-', '')}`;
  const clickhouse = await prepareTestClickhouse();
  const database = await createTestDatabase({
    template: 'consumer',
    migrate: async (url) => void (await migratePostgres(url, { log: quiet })),
  });
  await setRolePasswords(database.url, { consumer: consumerPassword });
  const folder = await mkdtemp(join(tmpdir(), 'consumer-test-'));
  const sql = createPool(database.url, { applicationName: 'test', max: 2, onError: () => undefined });
  await insertProject(sql, teamId, token);
  const config = testConfig(
    {
      EVENT_LOG_DIR: join(folder, 'log'),
      EVENT_LOG_MAX_BYTES: String(2 ** 30),
      STORAGE_DIR: join(folder, 'objects'),
      ...eventLog,
    },
    roleUrl(database.url, 'consumer', consumerPassword),
    clickhouse,
  );
  const log = await openEventLog(config.eventLog, { writer: 'capture' });
  const admin = createClickhouse({
    url: clickhouse.url,
    user: clickhouse.admin.username,
    password: clickhouse.admin.password,
  });
  const children: ChildConsumer[] = [];

  const rows = async <Row>(query: string): Promise<Row[]> => {
    const result = await admin.query({ query, query_params: { team: teamId }, format: 'JSONEachRow' });
    return result.json();
  };

  return {
    teamId,
    token,
    config,
    log,
    sql,
    rows,
    entry: (event) => toEntry(event, { projectId: teamId, token }),
    async send(events, { lane = 'main', perBundle = 500 } = {}) {
      const filled = events.map((event) => ({ uuid: randomUUID(), ...event }));
      await append(
        log,
        lane,
        filled.map((event) => ({ event, entry: toEntry(event, { projectId: teamId, token }) })),
        token,
        perBundle,
      );
      return filled.map(({ uuid }) => uuid);
    },
    async counts() {
      const [row] = await rows<{ rows: string; uuids: string }>(
        'SELECT count() AS rows, uniqExact(uuid) AS uuids FROM analytics.events WHERE team_id = {team:Int64}',
      );
      return { rows: Number(row?.rows), uuids: Number(row?.uuids) };
    },
    deadLetters: () => readLane(log),
    startChild(dieAt, changes = {}) {
      const child = startChild({ config: { ...config, ...changes }, ...(dieAt ? { dieAt } : {}) });
      children.push(child);
      return child;
    },
    async close() {
      for (const { process, exited } of children) {
        process.kill('SIGKILL');
        await exited;
      }
      await log.close();
      await admin.close();
      await sql.end();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function testConfig(
  settings: Record<string, string>,
  databaseUrl: string,
  { url, writer }: TestClickhouse,
): ConsumerConfig {
  return {
    operations: { host: '127.0.0.1', port: 0 },
    processes: 1,
    stuckMs: 60_000,
    logLevel: 'warn',
    group: 'consumer',
    writer: 'consumer',
    postgres: { url: databaseUrl, poolSize: 5, statementTimeoutMs: 10_000 },
    clickhouse: { url, user: writer.username, password: writer.password, requestTimeoutMs: 10_000 },
    projectShare: { bytesRate: 8_000_000, bytesBurst: 32_000_000 },
    eventPartsMax: 100_000,
    squash: { password: null, ageHours: 24, everyHours: 24 },
    eventLog: readConfig(eventLogSettings, settings),
    storage: readConfig(fileSettings, settings),
    batch: {
      rowsMax: 50_000,
      bytesMax: 16_000_000,
      othersRowsMax: 2_500,
      writeBytesMax: 128_000_000,
      readAheadBytesMax: 256_000_000,
      lingerMs: 20,
      intervalMs: 50,
      atOnce: 3,
    },
  };
}

async function insertProject(sql: Harness['sql'], id: number, token: string): Promise<void> {
  const organization = randomUUID();
  await sql.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [organization, 'test']);
  await sql.query('INSERT INTO projects (id, uuid, organization_id, name, api_token) VALUES ($1, $2, $3, $4, $5)', [
    id,
    randomUUID(),
    organization,
    'test',
    token,
  ]);
}

function toEntry(
  { properties = '{}', ...head }: TestEvent,
  project: { projectId: number; token: string },
): BundleEntry {
  const filled = {
    uuid: randomUUID(),
    event: 'tested',
    distinctId: 'someone',
    timestamp: '2026-05-04T10:00:00.123456Z',
    receivedAt: '2026-05-04T10:00:01.000000Z',
    ...project,
    ...head,
  };
  return { head: Buffer.from(JSON.stringify(filled)), body: Buffer.from(properties) };
}

async function append(
  log: EventLog,
  lane: Lane,
  events: { event: TestEvent; entry: BundleEntry }[],
  token: string,
  perBundle: number,
): Promise<void> {
  const partitions = new Map<number, BundleEntry[]>();
  for (const { event, entry } of events) {
    const partition = partitionOf(`${token}:${event.distinctId ?? 'someone'}`, log.partitions);
    partitions.set(partition, [...(partitions.get(partition) ?? []), entry]);
  }
  for (const [partition, entries] of partitions) {
    for (let at = 0; at < entries.length; at += perBundle) {
      await log.append(lane, [{ partition, payload: encodeBundle(entries.slice(at, at + perBundle)) }]);
    }
  }
}

/** Everything in the lane `dead-letter` now. */
async function readLane(log: EventLog): Promise<{ letter: DeadLetter; payload: Buffer }[]> {
  const found: { letter: DeadLetter; payload: Buffer }[] = [];
  const subscription = await log.subscribe({
    group: `test-${randomUUID()}`,
    lanes: ['dead-letter'],
    onStream: async (stream) => {
      const records = await stream.read(0n, { maxBytes: 100_000_000, waitMs: 0 });
      for (const { payload } of records) found.push(...readDeadLetters(payload));
    },
  });
  await subscription.close();
  return found;
}

function startChild(order: ChildOrder): ChildConsumer {
  const script = join(import.meta.dirname, 'consumer-child.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-20_000)));
  const exited = once(child, 'exit').then(([code, signal]) => (signal ?? code) as NodeJS.Signals | number | null);
  return { process: child, output: () => output, exited };
}
