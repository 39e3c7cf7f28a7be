import cluster from 'node:cluster';
import { reportState } from '@millrace/runtime/process/report-state.ts';
import type { App } from '@millrace/runtime/process/run-process.ts';
import { createApp, type ConsumerDeps } from '../app.ts';
import type { ConsumerConfig } from '../config.ts';
import { createConsumers } from './create-consumers.ts';
import { endWhenStuck } from './end-when-stuck.ts';

/** Role of this process: the whole consumer, or one of several workers of it, or the first of these processes. */
export function createConsumer(config: ConsumerConfig, deps: ConsumerDeps = {}): App {
  if (config.processes > 1 && !cluster.isWorker) return createConsumers(config);
  endWhenStuck(config.stuckMs);
  return createApp(config, cluster.isWorker ? { ...deps, expose: reportState } : deps);
}
