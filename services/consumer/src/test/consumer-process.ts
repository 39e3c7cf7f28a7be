import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startedMessage, type WorkersMessage } from '@millrace/runtime/process/run-process.ts';
import { compileCache } from '@millrace/testkit/config.ts';
import type { ConsumerConfig } from '../config.ts';

/** The consumer as it is deployed: its main.ts with settings from the environment. */
export interface ConsumerProcess {
  pid: number;
  /** Process ids of its workers, when there are several processes. */
  workers(): readonly number[];
  /** Resolves when it has started; rejects when it ended before. */
  started: Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Resolves with the exit code, or the signal, when it has ended. */
  exited: Promise<number | string>;
  output(): string;
}

export function startConsumerProcess(config: ConsumerConfig, settings: Record<string, string>): ConsumerProcess {
  const { postgres, clickhouse, eventLog, batch } = config;
  const { brokers, topicPrefix } = eventLog.kafka;
  const environment: Record<string, string> = {
    ...compileCache(),
    LOG_LEVEL: 'warn',
    OPERATIONS_PORT: String(config.operations.port),
    CONSUMER_GROUP: config.group,
    CONSUMER_WRITER: config.writer,
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: clickhouse.user,
    CLICKHOUSE_PASSWORD: clickhouse.password,
    CONSUMER_BATCH_LINGER_MS: String(batch.lingerMs),
    CONSUMER_BATCH_INTERVAL_MS: String(batch.intervalMs),
    ...(brokers === null
      ? { EVENT_LOG_DIR: eventLog.dir ?? '' }
      : { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: topicPrefix }),
    ...settings,
  };
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../main.ts')],
    { env: environment, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-20_000)));
  const exited = once(child, 'exit').then(([code, signal]) => (signal ?? code) as number | string);
  let workers: readonly number[] = [];
  const started = new Promise<void>((resolve, reject) => {
    child.on('message', (message: typeof startedMessage | WorkersMessage) =>
      message === startedMessage ? resolve() : void (workers = message.workers),
    );
    void exited.then((how) => reject(new Error(`the consumer ended (${how}) before it had started:\n${output}`)));
  });
  started.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    workers: () => workers,
    started,
    signal: (name) => void child.kill(name),
    exited,
    output: () => output,
  };
}
