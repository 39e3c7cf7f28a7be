import { parentPort } from 'node:worker_threads';

/** First message of a thread. */
export const threadStarted = 'started';

/**
 * The thread's side of a pool: a message when it has started, then one task at a time, each with one message as its outcome. `transferOf`: the
 * buffers of an outcome that are handed over. A task that throws ends the thread.
 */
export function serveTasks<Task, Outcome>(
  run: (task: Task) => Outcome,
  transferOf: (outcome: Outcome) => ArrayBuffer[] = () => [],
): void {
  parentPort?.postMessage(threadStarted);
  parentPort?.on('message', (task: Task) => {
    const outcome = run(task);
    parentPort?.postMessage(outcome, transferOf(outcome));
  });
}
