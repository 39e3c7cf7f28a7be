import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { delay } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logger.ts';
import { startedMessage, type App, type WorkersMessage } from '@millrace/runtime/run-process.ts';
import { answerMetrics } from './shared-metrics.ts';

export interface WorkersOptions {
  count: number;
  logger: Logger;
  /** How long after its death a worker is replaced. Default 1 s. */
  restMs?: number;
}

/** A worker stops within 9.5 s by itself; one that hangs is ended a little earlier, so that we end in good order. */
const stopMsMax = 9_000;

/**
 * The first of several capture processes: it starts `count` workers (this program once more, each a whole capture
 * service), which share one port, hands them connections in turn, and replaces those that die. It serves nothing itself.
 * @throws from `start`, when a worker ends before it has started: then all are stopped again.
 */
export function createWorkers({ count, logger, restMs = 1_000 }: WorkersOptions): App {
  const workers = new Set<Worker>();
  const stopping = new AbortController();

  function fork(): Worker {
    const worker = cluster.fork();
    workers.add(worker);
    answerMetrics(worker);
    worker.once('exit', () => workers.delete(worker));
    for (const change of ['online', 'exit']) worker.once(change, tell);
    return worker;
  }

  /** Whoever supervises us knows our pid alone. */
  function tell(): void {
    if (!process.connected) return;
    const message: WorkersMessage = { workers: [...workers].flatMap(({ process: { pid } }) => pid ?? []) };
    process.send?.(message);
  }

  /** From now on its death is an accident that is mended; a replacement that cannot start is tried again. */
  function watch(worker: Worker): void {
    worker.once('exit', (code, signal) => {
      if (stopping.signal.aborted) return;
      logger.error({ worker: worker.process.pid, code, signal }, 'a worker ended; another takes its place');
      void delay(restMs, stopping.signal).then(() => {
        if (!stopping.signal.aborted) watch(fork());
      });
    });
  }

  return {
    logger,
    async start() {
      const starting = Array.from({ length: count }, () => fork());
      try {
        await Promise.all(starting.map(started));
      } catch (error) {
        await this.stop();
        throw error;
      }
      for (const worker of starting) watch(worker);
      logger.info({ workers: starting.map((worker) => worker.process.pid) }, 'workers share the port');
    },
    async stop() {
      stopping.abort();
      const ended = Promise.all([...workers].map((worker) => once(worker, 'exit')));
      for (const worker of workers) worker.process.kill('SIGTERM');
      const force = setTimeout(() => {
        for (const worker of workers) worker.process.kill('SIGKILL');
      }, stopMsMax);
      await ended;
      clearTimeout(force);
    },
  };
}

function started(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message) => {
      if (message === startedMessage) resolve();
    });
    worker.once('exit', (code, signal) => reject(new Error(`a worker ended before it had started (${signal ?? `exit code ${code}`})`)));
  });
}
