import { parentPort } from 'node:worker_threads';
import { runTask, type CompileTask } from './compile-task.ts';

// The thread of `compile-thread.ts`: one task at a time, each with one message as its result.
parentPort?.on('message', (task: CompileTask) => parentPort?.postMessage(runTask(task)));
