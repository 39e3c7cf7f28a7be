import { createLifecycle } from '@millrace/runtime/lifecycle.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import type { App } from '@millrace/runtime/process/run-process.ts';
import { createWorkers } from '@millrace/runtime/process/workers.ts';
import { createWorkersOperations } from '@millrace/runtime/process/workers-operations.ts';
import type { CaptureConfig } from '../config.ts';

/**
 * The first of several capture processes: it serves no client itself. It hands the connections of the public port to
 * the others, replaces those that die, and reports on all of them on operators' port.
 */
export function createCaptures({ processes: count, host, port, logLevel, operations: config }: CaptureConfig): App {
  const logger = createLogger('capture', logLevel);
  const operations = createWorkersOperations(count, config);
  const workers = createWorkers({ count, logger, port: { host, port }, onFork: operations.onFork });
  const lifecycle = createLifecycle([
    operations.server,
    { name: 'workers', start: () => workers.start(), stop: () => workers.stop() },
    { name: 'readiness', stop: () => operations.drain() },
  ]);
  return { logger, start: () => lifecycle.start(), stop: () => lifecycle.stop() };
}
