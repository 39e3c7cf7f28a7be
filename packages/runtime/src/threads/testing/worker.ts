import { serveTasks } from '../serve-tasks.ts';

/** Behaviour of the thread to one task. */
export type TestTask =
  /** Sleeps, then returns the name. */
  | { name: string; sleepMs?: number }
  /** Returns the length of bytes that were handed over, and the bytes. */
  | { bytes: Uint8Array<ArrayBuffer> }
  /** Returns how many of these tasks the thread has had. */
  | { what: 'count' }
  | { fault: 'exit' | 'throw' | 'memory' | 'unsendable' };

export type TestOutcome = string | { length: number; bytes: Uint8Array<ArrayBuffer> } | (() => void);

serveTasks<TestTask, TestOutcome>(run, (outcome) => (typeof outcome === 'object' ? [outcome.bytes.buffer] : []));

let counted = 0;

function run(task: TestTask): TestOutcome {
  if ('bytes' in task) return { length: task.bytes.length, bytes: task.bytes };
  if ('what' in task) return String(++counted);
  if ('name' in task) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, task.sleepMs ?? 0);
    return task.name;
  }
  if (task.fault === 'exit') process.exit(3);
  if (task.fault === 'throw') throw new TypeError('of the task');
  return task.fault === 'memory' ? filled() : () => undefined;
}

function filled(): string {
  const all: string[][] = [];
  for (;;) all.push(Array.from({ length: 1000 }, (_, at) => `text ${at} ${all.length}`));
}
