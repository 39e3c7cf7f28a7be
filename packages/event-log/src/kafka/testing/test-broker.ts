import { startKafka, type KafkaEngine } from '@millrace/engines/kafka.ts';
import { freePort } from '@millrace/engines/ports.ts';
import kafkajs, { type Kafka } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogUnderTest } from '../../contract-suite.ts';
import type { EventLog } from '../../event-log.ts';
import { allTopics } from '../topic-names.ts';
import { openKafkaLog, type KafkaLogOptions } from '../kafka-log.ts';
import { brokerForTests } from './config.ts';

/** A broker for tests. */
export interface TestBroker {
  readonly address: string;
  readonly pid: number;
  /** A log of its own on it; `options` for all who open it. */
  log(options?: Partial<KafkaLogOptions>): LogUnderTest;
  /** kafkajs as it comes, for requests that tests send to the broker themselves. */
  kafka: Kafka;
  /** Ends it in good order, without its data. */
  stop(): Promise<void>;
  /** kill -9, or SIGTERM on request; resolves when it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again with its data at its address. */
  startAgain(): Promise<void>;
}

/** Starts a broker, with these settings of its own. */
export async function startTestBroker(settings: Readonly<Record<string, string | number>> = {}): Promise<TestBroker> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-kafka-'));
  const port = await freePort();
  const start = (): Promise<KafkaEngine> =>
    startKafka({
      dataDir: join(folder, 'broker'),
      port,
      startsQuickly: true,
      heapMb: 384,
      settings,
      logFile: join(folder, 'broker.log'),
    });
  let engine = await start();
  const end = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    process.kill(engine.pid, signal);
    await engine.exited;
  };
  return {
    address: engine.address,
    get pid() {
      return engine.pid;
    },
    kafka: plainKafka([engine.address]),
    log: (options) => logUnderTest([engine.address], { sessionTimeoutMs: 2_000, ...options }),
    async stop() {
      await engine.stop();
      await rm(folder, { recursive: true });
    },
    end,
    async startAgain() {
      engine = await start();
    },
  };
}

/** The broker of KAFKA_BROKERS, or one that is started. */
export async function anyTestBroker(): Promise<{ log(): LogUnderTest; stop(): Promise<void> }> {
  const { brokers } = brokerForTests();
  if (brokers === null) return await startTestBroker();
  // Brokers that are not ours refuse shorter sessions.
  return { log: () => logUnderTest(brokers, { sessionTimeoutMs: 6_000 }), stop: () => Promise.resolve() };
}

function logUnderTest(brokers: readonly string[], options: Partial<KafkaLogOptions>): LogUnderTest {
  const topicPrefix = `test-${randomUUID()}.`;
  const optionsOf = (writer?: string): KafkaLogOptions => ({
    brokers,
    topicPrefix,
    ...options,
    ...(writer === undefined ? {} : { writer }),
  });
  return {
    opener: (writer) => ({
      module: join(import.meta.dirname, '../kafka-log.ts'),
      opener: 'openKafkaLog',
      options: { ...optionsOf(writer) },
    }),
    open: (writer): Promise<EventLog> => openKafkaLog(optionsOf(writer)),
    destroy: () => deleteLog({ brokers, topicPrefix }),
  };
}

/** Where a log is. */
export interface LogOnBrokers {
  brokers: readonly string[];
  topicPrefix: string;
}

/** Deletes all topics of a log. */
export async function deleteLog({ brokers, topicPrefix }: LogOnBrokers): Promise<void> {
  const admin = plainKafka(brokers).admin();
  await admin.connect();
  const there = await admin.listTopics();
  await admin.deleteTopics({ topics: allTopics(topicPrefix).filter((topic) => there.includes(topic)) });
  await admin.disconnect();
}

/** kafkajs as it comes. */
export function plainKafka(brokers: readonly string[]): Kafka {
  return new kafkajs.Kafka({
    clientId: 'test',
    brokers: [...brokers],
    logLevel: kafkajs.logLevel.NOTHING,
    retry: { initialRetryTime: 100, maxRetryTime: 1000, retries: 60 },
  });
}
