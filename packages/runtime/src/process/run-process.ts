import { ConfigError } from '../config.ts';
import { describeError } from '../logs/describe-error.ts';
import type { Logger } from '../logs/logger.ts';
import { addProcessMetrics, type Registry } from '../operations/metrics.ts';

/** A service as `createApp` of each service returns it. */
export interface App {
  logger: Logger;
  /** Its figures; none in the first of several processes, which shows those of the others. */
  metrics?: Registry;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const stopDeadlineMs = 9_500;

/** Message of a service over the channel to its supervisor when it has started: it listens on its port. */
export const startedMessage = 'started';

/** Message of a service of several processes over the channel to its supervisor, whenever they change. */
export interface WorkersMessage {
  /** Process ids, without that of the sender. */
  workers: number[];
}

/**
 * The edge of every service's process: builds and starts the app, adds the metrics of the process to the app's, stops it on
 * SIGTERM and SIGINT (or when the process that supervises it over a channel is gone), and ends the process. Exit codes:
 * 0 stopped on request; 1 an error, or a stop that took longer than 9.5 s; 2 unusable settings. An exception that nobody
 * caught ends the process: its state cannot be trusted, and whoever supervises it restarts it.
 */
export function runProcess(createApp: () => App): void {
  let app: App;
  try {
    app = createApp();
  } catch (error) {
    // Node itself would print the error with all its fields.
    process.stderr.write(`${error instanceof ConfigError ? error.message : JSON.stringify(describeError(error))}\n`);
    process.exit(error instanceof ConfigError ? 2 : 1);
  }
  const { logger, metrics } = app;
  if (metrics !== undefined) addProcessMetrics(metrics);

  const fail = (what: string) => (error: unknown) => {
    logger.fatal({ err: error }, what);
    process.exit(1);
  };
  process.on('uncaughtException', fail('uncaught exception'));
  process.on('unhandledRejection', fail('unhandled rejection'));

  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => fail('stop took too long')(signal), stopDeadlineMs).unref();
    app.stop().then(() => process.exit(0), fail('stop failed'));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (process.connected) process.on('disconnect', () => stop('supervisor gone'));

  app.start().then(() => {
    logger.info('started');
    // To the process that supervises it: before that another process may listen on its port.
    process.send?.(startedMessage);
  }, fail('start failed'));
}
