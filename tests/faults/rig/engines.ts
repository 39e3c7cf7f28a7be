import { join } from 'node:path';
import type { ClickhouseSecrets } from '@millrace/clickhouse/users/declared-users.ts';
import { buildUsersXml } from '@millrace/clickhouse/users/users-document.ts';
import { startClickhouse } from '@millrace/engines/clickhouse.ts';
import { type EngineProcess, spawnEngine } from '@millrace/engines/engine-process.ts';
import { startKafka } from '@millrace/engines/kafka.ts';
import { freePort } from '@millrace/engines/ports.ts';
import { startPostgres } from '@millrace/engines/postgres.ts';
import { startTcpProxy, type TcpProxy } from '@millrace/testkit/tcp-proxy.ts';

/** An engine of the rig, with one port and one data folder. Services reach it through a proxy that can break connections. */
export interface Engine {
  readonly line: TcpProxy;
  /** Where it listens itself. */
  readonly port: number;
  /** Ends the process, by default by kill -9, unless it has ended already; resolves when it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it with its data; resolves when it is ready. */
  start(): Promise<void>;
  /** Ends it and its line. */
  close(): Promise<void>;
}

/** An engine that `begin` starts on its port. */
export async function engine(line: TcpProxy, begin: (port: number) => Promise<EngineProcess>): Promise<Engine> {
  const port = (line.target = await freePort());
  let running!: EngineProcess;
  let runs = false;
  async function start(): Promise<void> {
    const started = (running = await begin(port));
    runs = true;
    void started.exited.then(() => {
      if (started === running) runs = false;
    });
  }
  await start();
  return {
    line,
    port,
    async kill(signal = 'SIGKILL') {
      // A full disk ends a broker.
      if (runs) process.kill(running.pid, signal);
      await running.exited;
    },
    start,
    async close() {
      await running.stop();
      await line.close();
    },
  };
}

/** Passwords of one rig. */
export interface Passwords {
  superuser: string;
  roles: string;
  clickhouse: ClickhouseSecrets;
}

export async function startOwnPostgres(folder: string, { superuser }: Passwords): Promise<Engine> {
  const begin = (port: number): Promise<EngineProcess> =>
    startPostgres({
      dataDir: join(folder, 'postgres'),
      superuserPassword: superuser,
      port,
      logFile: join(folder, 'postgres.log'),
    });
  return await engine(await startTcpProxy(), begin);
}

export async function startOwnClickhouse(folder: string, { clickhouse }: Passwords): Promise<Engine> {
  const usersDocument = buildUsersXml({ secrets: clickhouse, from: 'loopback' });
  const login = { user: 'admin', password: clickhouse.admin };
  const begin = (port: number): Promise<EngineProcess> =>
    startClickhouse({
      dataDir: join(folder, 'clickhouse'),
      usersDocument,
      login,
      port,
      logFile: join(folder, 'clickhouse.log'),
    });
  return await engine(await startTcpProxy(), begin);
}

/** A broker whose clients reach it through its line alone. Its data are below `dataDir`, which may be a disk of its own. */
export async function startOwnBroker(folder: string, dataDir: string): Promise<Engine> {
  const line = await startTcpProxy();
  const settings = { 'advertised.listeners': `PLAINTEXT://127.0.0.1:${line.port}` };
  const begin = (port: number): Promise<EngineProcess> =>
    startKafka({
      dataDir: join(dataDir, 'broker'),
      port,
      startsQuickly: true,
      heapMb: 384,
      settings,
      logFile: join(folder, 'kafka.log'),
    });
  return await engine(line, begin);
}

/** The machine's own redis-server, without persistence. */
export async function startOwnRedis(folder: string): Promise<Engine> {
  const begin = (port: number): Promise<EngineProcess> => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
    return spawnEngine({
      name: 'redis',
      command: 'redis-server',
      args,
      environment: { PATH: process.env['PATH'] },
      stopSignal: 'SIGTERM',
    });
  };
  return await engine(await startTcpProxy(), begin);
}
