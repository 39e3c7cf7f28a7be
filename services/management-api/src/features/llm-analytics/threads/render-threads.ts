import { Worker } from 'node:worker_threads';
import type { UnparsedBody } from '@millrace/http/define-route.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { isOutOfMemory } from '@millrace/runtime/is-out-of-memory.ts';
import { FairQueue } from '../../../threads/fair-queue.ts';
import type { RenderOutcome, RenderWork } from './render-task.ts';

/** Threads that make texts of large data. The event loop is free meanwhile, and a failure ends only one thread. */
export interface RenderThreads {
  /**
   * The answer of `runRenderTask`; the bytes of the body are handed over. Organizations take turns.
   * @throws {AppError} as it does; unavailable when too many tasks wait; request_too_large when it takes too long or too much memory
   */
  answer(body: UnparsedBody, organizationId: string, signal?: AbortSignal, work?: RenderWork): Promise<Uint8Array>;
  /** Ends the threads; waiting tasks fail. */
  close(): Promise<void>;
}

interface Limits {
  threads: number;
  /** Longest task, in milliseconds of the clock. */
  taskMsMax: number;
  /** Heap of each thread in megabytes. */
  heapMbMax: number;
  /** Most tasks that wait, and most of them of one organization. */
  waitingMax: number;
  waitingPerOrganizationMax: number;
}

interface Job {
  body: UnparsedBody;
  work: RenderWork;
  signal: AbortSignal | undefined;
  resolve: (answer: Uint8Array) => void;
  reject: (error: unknown) => void;
}

interface Slot {
  worker?: Worker | undefined;
  running?: { job: Job; timer: NodeJS.Timeout } | undefined;
}

const usual: Limits = {
  threads: 2,
  taskMsMax: 20_000,
  heapMbMax: 1536,
  waitingMax: 16,
  waitingPerOrganizationMax: 8,
};

/** Threads begin with their first task, and stay. `onEnded` gets the reason why a task was ended before it was done. */
export function createRenderThreads(
  onEnded: (reason: 'time' | 'memory') => void,
  limits: Partial<Limits> = {},
): RenderThreads {
  const { threads, taskMsMax, heapMbMax, waitingMax, waitingPerOrganizationMax } = { ...usual, ...limits };
  const waiting = new FairQueue<Job>();
  const slots: Slot[] = Array.from({ length: threads }, () => ({}));
  let waitingCount = 0;
  let isClosed = false;

  function start(slot: Slot): Worker {
    const made = new Worker(new URL('./render-worker.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax, maxYoungGenerationSizeMb: 64 },
    });
    made.on('message', (outcome: RenderOutcome) => {
      // An ended thread may have sent its outcome before its end: the job has failed already.
      if (slot.worker !== made) return;
      settle(slot, ({ resolve, reject }) =>
        'answer' in outcome ? resolve(outcome.answer) : reject(new AppError(outcome.error.code, outcome.error.details)),
      );
    });
    made.on('error', (error) => {
      if (slot.worker !== made) return;
      slot.worker = undefined;
      settle(slot, ({ reject }) => reject(isOutOfMemory(error) ? ended('memory') : error));
    });
    return made;
  }

  function ended(reason: 'time' | 'memory'): AppError {
    onEnded(reason);
    return new AppError('request_too_large', {
      detail: `The text of this data takes too ${reason === 'time' ? 'long' : 'much memory'} to make. Send less data.`,
    });
  }

  function settle(slot: Slot, how: (job: Job) => void): void {
    if (slot.running === undefined) return;
    const { job, timer } = slot.running;
    clearTimeout(timer);
    slot.running = undefined;
    how(job);
    next();
  }

  function next(): void {
    for (const slot of slots) {
      if (slot.running !== undefined) continue;
      const job = takeWanted();
      if (job !== undefined) run(slot, job);
      else slot.worker?.unref();
    }
  }

  function takeWanted(): Job | undefined {
    for (let job = waiting.take(); job !== undefined; job = waiting.take()) {
      waitingCount -= 1;
      if (job.signal?.aborted !== true) return job;
      job.reject(new AppError('unavailable')); // nobody reads it
    }
    return undefined;
  }

  function run(slot: Slot, job: Job): void {
    slot.worker ??= start(slot);
    slot.worker.ref();
    slot.running = { job, timer: setTimeout(() => stop(slot), taskMsMax) };
    const { contentType } = job.body;
    const bytes = ownBytes(job.body.bytes);
    slot.worker.postMessage({ body: { bytes, contentType }, work: job.work }, [bytes.buffer]);
  }

  function stop(slot: Slot): void {
    void slot.worker?.terminate();
    slot.worker = undefined;
    settle(slot, ({ reject }) => reject(ended('time')));
  }

  return {
    async answer(body, organizationId, signal, work = { kind: 'text' }) {
      if (isClosed) throw new AppError('unavailable');
      if (waitingCount >= waitingMax || waiting.waitingOf(organizationId) >= waitingPerOrganizationMax)
        throw new AppError('unavailable', {
          detail: 'Too many texts of large data are waiting to be made. Try again shortly.',
          retryAfterS: 1,
        });
      return await new Promise((resolve, reject) => {
        waitingCount += 1;
        waiting.add(organizationId, { body, work, signal, resolve, reject });
        next();
      });
    },
    async close() {
      isClosed = true;
      for (const job of waiting.takeAll()) job.reject(new AppError('unavailable'));
      const workers = slots.map(({ worker }) => worker);
      for (const slot of slots) {
        slot.worker = undefined;
        settle(slot, ({ reject }) => reject(new AppError('unavailable')));
      }
      await Promise.all(workers.map((worker) => worker?.terminate() ?? Promise.resolve(0)));
    },
  };
}

/** Bytes with a buffer of their own, which can be handed over. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) return bytes as Uint8Array<ArrayBuffer>;
  return new Uint8Array(bytes);
}
