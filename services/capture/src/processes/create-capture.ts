import cluster from 'node:cluster';
import { createLogger } from '@millrace/runtime/logger.ts';
import type { App } from '@millrace/runtime/run-process.ts';
import { createPortMembership } from '@millrace/runtime/shared-port.ts';
import { createWorkers } from '@millrace/runtime/workers.ts';
import { createApp, type CaptureDeps } from '../app.ts';
import type { CaptureConfig } from '../config.ts';
import { answerMetrics, shareMetrics } from './shared-metrics.ts';

/** What this process is: the whole capture service, or one of several workers of it, or the first of these processes. */
export function createCapture(config: CaptureConfig, deps: CaptureDeps = {}): App {
  if (cluster.isWorker) return createApp(config, { ...deps, exposeMetrics: shareMetrics, membership: createPortMembership });
  if (config.processes === 1) return createApp(config, deps);
  const { host, port } = config;
  return createWorkers({ count: config.processes, logger: createLogger('capture', config.logLevel), port: { host, port }, onFork: answerMetrics });
}
