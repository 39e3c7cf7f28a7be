// Capture as several processes, on embedded logs: each worker has one of its own, in its own folder below the given one.
import cluster from 'node:cluster';
import { join } from 'node:path';
import { openEventLog } from '@millrace/event-log/open-event-log.ts';
import { runProcess } from '@millrace/runtime/process/run-process.ts';
import { readCaptureConfig } from '../config.ts';
import { createCapture } from '../processes/create-capture.ts';
import { projectsOfTest } from './projects-of-test.ts';

/** Folder of the logs, or `nowhere`: then no log can be opened. */
export type WorkerArguments = [
  dir: string,
  port: string,
  processes: string,
  stopDelayMs: string,
  operationsPort: string,
];

const [dir = '', port = '', processes = '', stopDelayMs = '', operationsPort = ''] = process.argv.slice(
  2,
) as Partial<WorkerArguments>;
const config = readCaptureConfig({
  CAPTURE_PORT: port,
  OPERATIONS_PORT: operationsPort,
  CAPTURE_PROCESSES: processes,
  CAPTURE_STOP_DELAY_MS: stopDelayMs,
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  // Never connected to: `openLog` stands in for it.
  KAFKA_BROKERS: '127.0.0.1:1',
});
runProcess(() =>
  createCapture(config, {
    projects: projectsOfTest((tokens) => Promise.resolve(new Map(tokens.map((token) => [token, 7])))),
    openLog: () => {
      if (dir === 'nowhere') throw new Error('there is no log');
      const log = readCaptureConfig({
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
        EVENT_LOG_DIR: join(dir, String(cluster.worker?.process.pid)),
      }).eventLog;
      return openEventLog(log, { writer: 'capture' });
    },
  }),
);
