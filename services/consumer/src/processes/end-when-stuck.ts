import { Worker } from 'node:worker_threads';

/** Input of the watching thread. */
export interface WatchOrder {
  /** A counter that grows while the event loop turns. */
  beat: SharedArrayBuffer;
  afterMs: number;
}

const beatMs = 1_000;

/**
 * Ends this process (SIGKILL) when its event loop has not turned for `afterMs`: others have taken over its work long
 * before, and the supervisor starts it again. A thread of its own watches, because an event loop that hangs cannot.
 */
export function endWhenStuck(afterMs: number): void {
  const order: WatchOrder = { beat: new SharedArrayBuffer(4), afterMs };
  const beat = new Int32Array(order.beat);
  setInterval(() => void Atomics.add(beat, 0, 1), beatMs).unref();
  const watcher = new Worker(new URL('./watch-beat.ts', import.meta.url), {
    workerData: order,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  watcher.unref();
}
