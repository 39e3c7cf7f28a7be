import { randomInt } from 'node:crypto';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateClickhouse } from '@millrace/clickhouse/migrations/migrate.ts';
import { freePort } from '@millrace/engines/ports.ts';
import type { EventLog } from '@millrace/event-log/event-log.ts';
import { openEventLog } from '@millrace/event-log/open-event-log.ts';
import { eventLogSettings } from '@millrace/event-log/settings.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { setRolePasswords } from '@millrace/postgres/role-passwords.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts';
import { type Engine, startOwnBroker, startOwnClickhouse, startOwnPostgres, startOwnRedis } from './engines.ts';
import { makeObjectFolder, type Objects, startOwnS3 } from './objects.ts';
import { createOrganization, type Project, withAdmin } from './projects.ts';
import { createService, type Service } from './service.ts';
import { type Addresses, environmentOf, inventPasswords, productScript, type ServiceName } from './settings.ts';
import { openStore, type Store } from './store.ts';

export type LogKind = 'embedded' | 'kafka';

export interface RigOptions {
  log: LogKind;
  /** Existing brokers for the log in Kafka; unless given, one is started. */
  brokers?: string | null;
  /** The event log, or its broker, gets a disk of its own that can be full. */
  smallDisk?: boolean;
  /** Capture shares its tokens over a Redis, which is started. */
  redis?: boolean;
  /** Files are in a server of S3, which is started; unless given, in a folder. */
  s3?: boolean;
}

/** The whole product in processes of its own. Services reach each engine through a proxy that can break connections. */
export interface Rig {
  readonly kind: LogKind;
  readonly folder: string;
  readonly postgres: Engine;
  readonly clickhouse: Engine;
  /** Null on the embedded log, and with existing brokers. */
  readonly broker: Engine | null;
  readonly redis: Engine | null;
  readonly disk: SmallDisk | null;
  readonly objects: Objects;
  readonly capture: Service;
  readonly consumer: Service;
  readonly api: Service;
  readonly store: Store;
  /** The event log's settings, not by way of the line. */
  readonly logSettings: Record<string, string>;
  /** Another consumer of the same group, not yet started. It ends with the rig. */
  addConsumer(): Promise<Service>;
  /** All services that there are. */
  services(): readonly Service[];
  /** The event log, as one more process that writes to it. */
  openLog(writer: string): Promise<EventLog>;
  /** Projects that know nothing of each other: each in an organization of its own. */
  newProjects: (count: number) => Promise<Project[]>;
  /** An organization with this many projects. */
  newOrganization: (projects: number) => Promise<Project[]>;
  /** Superuser's URL of Postgres, not by way of the line. */
  readonly postgresUrl: string;
  /** Opens all lines, and the object storage, whatever was done to them. */
  mend(): Promise<void>;
  /** Copies ledgers and logs to a folder that stays; returns which. */
  keepEvidence(): string;
  /** Ends everything and removes its data. */
  close(): Promise<void>;
}

const quiet = { info: () => undefined };
const diskMb = { embedded: 64, kafka: 200 };

/** Starts the product on a new folder of its own, and answers when all of it is ready. @throws when a part does not start; nothing is left then. */
export async function startRig(options: RigOptions): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-faults-'));
  // For the user that Postgres runs as when we are root.
  chmodSync(folder, 0o711);
  const undo: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    return await build(folder, options, undo, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  folder: string,
  options: RigOptions,
  undo: (() => Promise<void> | void)[],
  close: () => Promise<void>,
): Promise<Rig> {
  const passwords = inventPasswords();
  const kept = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting;
    undo.push(() => started.close());
    return started;
  };
  const logFolder = join(folder, 'log');
  const disk = options.smallDisk === true ? mountSmallDisk(logFolder, diskMb[options.log]) : null;
  if (disk !== null) undo.push(() => disk.remove());
  const ownBroker = options.log === 'kafka' && !options.brokers;
  const [postgres, clickhouse, broker, redis, objects] = await Promise.all([
    kept(startOwnPostgres(folder, passwords)),
    kept(startOwnClickhouse(folder, passwords)),
    ownBroker ? kept(startOwnBroker(folder, logFolder)) : null,
    options.redis === true ? kept(startOwnRedis(folder)) : null,
    options.s3 === true ? kept(startOwnS3(folder)) : makeObjectFolder(folder),
  ]);
  const log = logSettingsOf(options, logFolder, broker);
  const superuserUrl = (port: number): string =>
    `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/postgres`;
  const directUrl = `http://127.0.0.1:${clickhouse.port}`;
  await Promise.all([
    migratePostgres(superuserUrl(postgres.port), { log: quiet }),
    migrateClickhouse({ url: directUrl, user: 'admin', password: passwords.clickhouse.admin }, { log: quiet }),
  ]);
  await setRolePasswords(superuserUrl(postgres.port), {
    capture: passwords.roles,
    consumer: passwords.roles,
    management: passwords.roles,
  });
  const store = await kept(openStore(directUrl, passwords.clickhouse.admin));

  const addresses: Addresses = {
    postgresUrl: superuserUrl(postgres.line.port),
    clickhouseUrl: `http://127.0.0.1:${clickhouse.line.port}`,
    redisUrl: redis === null ? null : `redis://127.0.0.1:${redis.line.port}`,
    log,
    storage: objects.settings,
  };
  const services: Service[] = [];
  const firstPort = randomInt(15_000, 25_000);
  const add = async (name: ServiceName): Promise<Service> => {
    // A service that is down has no hold on its port: so below those that the system gives out, and no two alike.
    const port = await freePort(firstPort + services.length * 100);
    // The consumer has no other.
    const operationsPort = name === 'consumer' ? port : await freePort(port + 1);
    const logFile = join(folder, `${name}-${port}.log`);
    const service = createService({
      name,
      port,
      operationsPort,
      environment: environmentOf(name, { port, operationsPort }, addresses, passwords),
      logFile,
      command: { script: productScript(name) },
    });
    services.push(service);
    undo.push(async () => void (await service.stop('SIGKILL')));
    return service;
  };
  const [capture, consumer, api] = [await add('capture'), await add('consumer'), await add('management-api')];
  await Promise.all([capture.start(), consumer.start(), api.start()]);

  return {
    kind: options.log,
    folder,
    postgres,
    clickhouse,
    broker,
    redis,
    disk,
    objects,
    capture,
    consumer,
    api,
    store,
    logSettings: log,
    addConsumer: () => add('consumer'),
    services: () => services,
    openLog: (writer) => openEventLog(readConfig(eventLogSettings, log), { writer }),
    newProjects: (count) =>
      withAdmin(superuserUrl(postgres.port), async (admin) =>
        (await Promise.all(Array.from({ length: count }, () => createOrganization(admin, 1)))).flat(),
      ),
    newOrganization: (projects) =>
      withAdmin(superuserUrl(postgres.port), (admin) => createOrganization(admin, projects)),
    postgresUrl: superuserUrl(postgres.port),
    async mend() {
      await objects.comeBack();
      for (const engine of [postgres, clickhouse, broker, redis])
        if (engine !== null) Object.assign(engine.line, { state: 'open', delayMs: 0, onRequest: null });
    },
    keepEvidence: () => keepEvidence(folder),
    close,
  };
}

function keepEvidence(folder: string): string {
  const kept = mkdtempSync(join(tmpdir(), 'millrace-faults-kept-'));
  for (const name of readdirSync(folder).filter((file) => /\.(?:log|ndjson)$/.test(file)))
    cpSync(join(folder, name), join(kept, name));
  return kept;
}

function logSettingsOf({ log, brokers }: RigOptions, folder: string, broker: Engine | null): Record<string, string> {
  if (log === 'embedded') return { EVENT_LOG_DIR: join(folder, 'events') };
  const address = broker === null ? brokers : `127.0.0.1:${broker.line.port}`;
  if (!address) throw new Error('a log in Kafka needs a broker');
  return {
    KAFKA_BROKERS: address,
    KAFKA_TOPIC_PREFIX: `faults-${process.pid}-${Date.now()}.`,
    KAFKA_SESSION_TIMEOUT_MS: broker === null ? '6000' : '3000',
  };
}
