import { parentPort } from 'node:worker_threads';
import { runTask, threadStarted, type CompileTask } from './compile-task.ts';

// The thread of `compile-thread.ts`: a message when it has started, then one task at a time, each with one message as its result.
parentPort?.postMessage(threadStarted);
parentPort?.on('message', (task: CompileTask) => parentPort?.postMessage(runTask(task)));
