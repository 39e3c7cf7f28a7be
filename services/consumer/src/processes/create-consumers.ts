import type { Worker } from 'node:cluster';
import { createLifecycle } from '@millrace/runtime/lifecycle.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import type { App } from '@millrace/runtime/process/run-process.ts';
import { createWorkers } from '@millrace/runtime/process/workers.ts';
import { createWorkersOperations } from '@millrace/runtime/process/workers-operations.ts';
import type { ConsumerConfig } from '../config.ts';

/**
 * The first of several consumer processes: it reads no event itself. It starts the others, replaces those that die,
 * ends those that are stuck, and reports on all of them on operators' port: ready when each is, metrics of all together
 * (sums; of `millrace_consumer_oldest_unread_seconds` the highest).
 */
export function createConsumers(config: ConsumerConfig): App {
  const logger = createLogger('consumer', config.logLevel);
  const operations = createWorkersOperations(config.processes, config.operations);
  const bySlot = new Map<number, Worker>();
  const workers = createWorkers({
    count: config.processes,
    logger,
    // Two processes cannot have one writer of an embedded log.
    environmentOf: (slot) => ({ CONSUMER_WRITER: slot === 1 ? config.writer : `${config.writer}-${slot}` }),
    onFork(worker, slot) {
      bySlot.set(slot, worker);
      operations.onFork(worker, slot);
    },
  });

  function endTheStuck(): void {
    for (const slot of operations.silent(config.stuckMs)) {
      logger.error({ slot, worker: bySlot.get(slot)?.process.pid }, 'a worker is stuck: it is ended');
      bySlot.get(slot)?.process.kill('SIGKILL');
    }
  }

  let timer: NodeJS.Timeout | undefined;
  const lifecycle = createLifecycle([
    operations.server,
    { name: 'workers', start: () => workers.start(), stop: () => workers.stop() },
    { name: 'watch', start: () => void (timer = setInterval(endTheStuck, 1_000)), stop: () => clearInterval(timer) },
    { name: 'readiness', stop: () => operations.drain() },
  ]);
  return { logger, start: () => lifecycle.start(), stop: () => lifecycle.stop() };
}
