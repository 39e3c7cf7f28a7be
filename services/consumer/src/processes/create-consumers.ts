import type { Worker } from 'node:cluster';
import { createServer } from 'node:http';
import { createHealth } from '@millrace/runtime/health.ts';
import { closeServer, listen } from '@millrace/runtime/http-server.ts';
import { createLifecycle } from '@millrace/runtime/lifecycle.ts';
import { createLogger } from '@millrace/runtime/logger.ts';
import { AggregatorRegistry } from '@millrace/runtime/metrics.ts';
import { createOperations } from '@millrace/runtime/operations.ts';
import type { App } from '@millrace/runtime/run-process.ts';
import { createWorkers } from '@millrace/runtime/workers.ts';
import type { ConsumerConfig } from '../config.ts';
import { createWorkerStates, isStateMessage } from './worker-states.ts';

/**
 * The first of several consumer processes: it reads no event itself. It starts the others, replaces those that die, ends
 * those that are stuck, and answers for all of them on the one port: ready when each is, metrics of all together (sums; of
 * `millrace_consumer_oldest_unread_seconds` the highest).
 */
export function createConsumers(config: ConsumerConfig): App {
  const logger = createLogger('consumer', config.logLevel);
  const states = createWorkerStates(() => performance.now());
  const bySlot = new Map<number, Worker>();
  const workers = createWorkers({
    count: config.processes,
    logger,
    // Two processes cannot have one writer of an embedded log.
    environmentOf: (slot) => ({ CONSUMER_WRITER: slot === 1 ? config.writer : `${config.writer}-${slot}` }),
    onFork(worker, slot) {
      bySlot.set(slot, worker);
      states.begin(slot);
      worker.on('message', (message) => {
        if (isStateMessage(message)) states.hear(slot, message.notReady);
      });
      worker.once('exit', () => states.end(slot));
    },
  });

  const health = createHealth();
  for (let slot = 1; slot <= config.processes; slot++) health.check(`process ${slot}`, () => states.trouble(slot));
  const gatherer = new AggregatorRegistry();
  const exposition = { contentType: gatherer.contentType, metrics: () => gatherer.clusterMetrics() };
  const operations = createOperations(health, exposition);
  const server = createServer((request, response) => {
    if (!operations(request, response)) response.writeHead(404).end();
  });

  function endTheStuck(): void {
    for (const slot of states.silent(config.stuckMs)) {
      logger.error({ slot, worker: bySlot.get(slot)?.process.pid }, 'a worker is stuck: it is ended');
      bySlot.get(slot)?.process.kill('SIGKILL');
    }
  }

  let timer: NodeJS.Timeout | undefined;
  const lifecycle = createLifecycle([
    { name: 'operations', start: async () => void (await listen(server, config.host, config.port)), stop: () => closeServer(server, 500) },
    { name: 'workers', start: () => workers.start(), stop: () => workers.stop() },
    { name: 'watch', start: () => void (timer = setInterval(endTheStuck, 1_000)), stop: () => clearInterval(timer) },
    { name: 'readiness', stop: () => health.drain() },
  ]);
  return { logger, start: () => lifecycle.start(), stop: () => lifecycle.stop() };
}
