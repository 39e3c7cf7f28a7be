import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { delay } from '../clock.ts';
import type { Logger } from '../logs/logger.ts';
import { createSharedPort } from './shared-port.ts';
import { startedMessage, type App, type WorkersMessage } from './run-process.ts';

export interface WorkersOptions {
  count: number;
  logger: Logger;
  /** Called for each worker before it runs. Its slot is from 1 to `count`; who replaces a worker has the slot of that one. */
  onFork: (worker: Worker, slot: number) => void;
  /** Variables of the worker in a slot, added to our own environment. */
  environmentOf?: (slot: number) => Record<string, string>;
  /** A port that they serve together, each with a `createPortMembership`. */
  port?: { host: string; port: number };
}

/** Delay of the replacement of a dead worker. */
const restMs = 1_000;
/** A worker stops within 9.5 s by itself; one that hangs is ended a little earlier, so that we end in good order. */
const stopMsMax = 9_000;

/**
 * The first of several processes of a service: it starts `count` workers (this program once more, each the whole service)
 * and replaces those that die.
 * @throws from `start`, when a worker ends before it has started, or the port cannot be had: then all are stopped again.
 */
export function createWorkers({ count, logger, onFork, environmentOf = () => ({}), port }: WorkersOptions): App {
  const workers = new Set<Worker>();
  const shared = port && createSharedPort(port.host, port.port);
  const stopping = new AbortController();

  function fork(slot: number): Worker {
    const worker = cluster.fork(environmentOf(slot));
    workers.add(worker);
    shared?.add(worker);
    onFork(worker, slot);
    worker.once('exit', () => workers.delete(worker));
    for (const change of ['online', 'exit']) worker.once(change, reportPids);
    return worker;
  }

  /** Whoever supervises us knows our pid alone. */
  function reportPids(): void {
    if (!process.connected) return;
    const message: WorkersMessage = { workers: [...workers].flatMap(({ process: { pid } }) => pid ?? []) };
    process.send?.(message);
  }

  /** From now on it is replaced when it dies; a replacement that cannot start is tried again. */
  function watch(worker: Worker, slot: number): void {
    worker.once('exit', (code, signal) => {
      if (stopping.signal.aborted) return;
      logger.error({ worker: worker.process.pid, code, signal }, 'a worker ended; another takes its place');
      void delay(restMs, stopping.signal).then(() => {
        if (!stopping.signal.aborted) watch(fork(slot), slot);
      });
    });
  }

  return {
    logger,
    async start() {
      const starting = Array.from({ length: count }, (_, index) => fork(index + 1));
      try {
        await Promise.all(starting.map(started));
        await shared?.open();
      } catch (error) {
        await this.stop();
        throw error;
      }
      starting.forEach((worker, index) => watch(worker, index + 1));
      logger.info({ workers: starting.map((worker) => worker.process.pid) }, 'workers run');
    },
    async stop() {
      stopping.abort();
      shared?.stop();
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
    worker.once('exit', (code, signal) =>
      reject(new Error(`a worker ended before it had started (${signal ?? `exit code ${code}`})`)),
    );
  });
}
