import type { Worker } from 'node:cluster';
import { createHealth } from '../operations/health.ts';
import { AggregatorRegistry } from '../operations/metrics.ts';
import {
  createOperationsServer,
  type OperationsConfig,
  type OperationsServer,
} from '../operations/operations-server.ts';
import { createWorkerStates, isStateMessage } from './worker-states.ts';

/** Operations of all workers in the first of several processes. The workers send it their states by `reportState`. */
export interface WorkersOperations {
  /** Operators' port for all of them: ready when each is, metrics of all together (sums, unless the metric says otherwise). */
  server: OperationsServer;
  /** Call it for each worker before it runs. */
  onFork: (worker: Worker, slot: number) => void;
  /** The slots of workers that have been silent for longer than `ms`; to be called each second (see `WorkerStates`). */
  silent: (ms: number) => number[];
  /** From now on not ready. */
  drain: () => void;
}

/** For the first of `count` processes, which serves nothing else itself. */
export function createWorkersOperations(count: number, config: OperationsConfig): WorkersOperations {
  const states = createWorkerStates(() => performance.now());
  const health = createHealth();
  for (let slot = 1; slot <= count; slot++) health.check(`process ${slot}`, () => states.unhealthyReason(slot));
  const gatherer = new AggregatorRegistry();
  return {
    server: createOperationsServer(config, health, {
      contentType: gatherer.contentType,
      metrics: () => gatherer.clusterMetrics(),
    }),
    onFork(worker, slot) {
      states.begin(slot);
      worker.on('message', (message) => {
        if (isStateMessage(message)) states.report(slot, message.notReady);
      });
      worker.once('exit', () => states.end(slot));
    },
    silent: (ms) => states.silent(ms),
    drain: () => health.drain(),
  };
}
