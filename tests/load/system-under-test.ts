import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import { delay } from '@millrace/runtime/clock.ts';
import { type LauncherOptions, pidsOf } from '../support/launcher.ts';
import { type Local, startSystem, temporaryDataDir } from '../support/system.ts';
import { openClickhouse, type Clickhouse } from './clickhouse.ts';
import { cpuSeconds, cpuSecondsWithChildren } from './process-cpu.ts';

/** The product as `npm start` starts it, on a data folder of its own, with the doors that only a bench uses. */
export interface SystemUnderTest {
  local: Local;
  /** Folder of all its data. */
  dataDir: string;
  capturePort: number;
  /** ClickHouse as the user that may do everything. */
  store: Clickhouse;
  /** Address and login of that user, for another client. */
  storeLogin: { url: string; user: string; password: string };
  /** Address and login of the user of tenants' queries, for another process. */
  tenantLogin: { url: string; user: string; password: string };
  /** ClickHouse as that user. */
  asTenant: Clickhouse;
  /** Headers that open the demo project's rows to `asTenant`. */
  tenantHeaders: Readonly<Record<string, string>>;
  /** Headers that open the rows of any project to `asTenant`. */
  tenantHeadersOf: (projectId: number) => Readonly<Record<string, string>>;
  /** Rows of the demo project, counted by ClickHouse. */
  storedEvents(): Promise<number>;
  /** Waits until that many events are stored, looking every 50 ms. @throws after `deadlineMs` */
  untilStored(events: number, deadlineMs: number): Promise<void>;
  /** CPU seconds that each process has used so far. */
  cpuByProcess(): Record<ProcessName, number>;
  pidsOf(name: ProcessName): number[];
  /** Stops a process in its tracks for as long as the work takes: what it would do meanwhile falls on nobody's figures. */
  withHeld<Result>(name: ProcessName, work: () => Promise<Result>): Promise<Result>;
}

export type ProcessName = 'capture' | 'consumer' | 'management-api' | 'clickhouse' | 'postgres';
const processNames: readonly ProcessName[] = ['capture', 'consumer', 'management-api', 'clickhouse', 'postgres'];

interface Secrets {
  clickhouse: { admin: string; tenant: string; tokenSecret: string };
}

/** Starts a new system, lends it, and removes it with its data when the work has ended or `stop` aborts. */
export async function withSystem<Result>(
  stop: AbortSignal,
  work: (system: SystemUnderTest) => Promise<Result>,
  options: LauncherOptions = {},
): Promise<Result> {
  const system = await startSystem(temporaryDataDir(), options);
  const local = system.local();
  const { clickhouse } = JSON.parse(readFileSync(join(system.dataDir, 'secrets.json'), 'utf8')) as Secrets;
  const store = openClickhouse(local.clickhouseUrl, { name: 'admin', password: clickhouse.admin });
  const asTenant = openClickhouse(local.clickhouseUrl, { name: 'tenant', password: clickhouse.tenant });
  try {
    stop.throwIfAborted();
    const lent = {
      local,
      dataDir: system.dataDir,
      capturePort: Number(new URL(local.captureUrl).port),
      store,
      storeLogin: { url: local.clickhouseUrl, user: 'admin', password: clickhouse.admin },
      tenantLogin: { url: local.clickhouseUrl, user: 'tenant', password: clickhouse.tenant },
      asTenant,
      tenantHeaders: tenantHeaders(clickhouse.tokenSecret, local.projectId),
      tenantHeadersOf: (projectId: number) => tenantHeaders(clickhouse.tokenSecret, projectId),
      ...counting(local, store),
      ...processesOf(local),
    };
    return await Promise.race([work(lent), aborted(stop)]);
  } catch (error) {
    if (stop.aborted) throw error;
    throw new Error(`the measurement failed; the launcher said:\n${system.output()}`, { cause: error });
  } finally {
    store.close();
    asTenant.close();
    await system.destroy();
  }
}

function counting(local: Local, store: Clickhouse): Pick<SystemUnderTest, 'storedEvents' | 'untilStored'> {
  const storedEvents = (): Promise<number> =>
    store.number({
      sql: 'SELECT count() FROM analytics.events WHERE team_id = {team:Int64}',
      params: { team: local.projectId },
    });
  return {
    storedEvents,
    async untilStored(events, deadlineMs) {
      let stored = await storedEvents();
      for (const deadline = Date.now() + deadlineMs; stored < events; stored = await storedEvents()) {
        if (Date.now() > deadline)
          throw new Error(`only ${stored} of ${events} events were stored within ${deadlineMs / 1000} s`);
        await delay(50);
      }
      if (stored > events) throw new Error(`${stored} events were stored, ${events} were sent`);
    },
  };
}

function processesOf(local: Local): Pick<SystemUnderTest, 'cpuByProcess' | 'pidsOf' | 'withHeld'> {
  const cpuOf = (name: ProcessName): number =>
    pidsOf(local, name).reduce(
      (sum, pid) => sum + (name === 'postgres' ? cpuSecondsWithChildren(pid) : cpuSeconds(pid)),
      0,
    );
  const signal = (name: ProcessName, which: NodeJS.Signals): void =>
    pidsOf(local, name).forEach((pid) => void process.kill(pid, which));
  return {
    cpuByProcess: () =>
      Object.fromEntries(processNames.map((name) => [name, cpuOf(name)])) as Record<ProcessName, number>,
    pidsOf: (name) => pidsOf(local, name),
    async withHeld(name, work) {
      signal(name, 'SIGSTOP');
      try {
        return await work();
      } finally {
        signal(name, 'SIGCONT');
      }
    },
  };
}

/** CPU seconds of each process between two readings. */
export function cpuBetween(
  before: Record<ProcessName, number>,
  after: Record<ProcessName, number>,
): Record<ProcessName, number> {
  return Object.fromEntries(processNames.map((name) => [name, after[name] - before[name]])) as Record<
    ProcessName,
    number
  >;
}

function aborted(stop: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    stop.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });
}
