import { parentPort } from 'node:worker_threads';
import { runRenderTask, type RenderTask } from './render-task.ts';

// A thread of `render-threads.ts`: one task at a time, each with one message as its outcome, whose bytes are handed over.
parentPort?.on('message', (task: RenderTask) => {
  const outcome = runRenderTask(task);
  parentPort?.postMessage(outcome, 'answer' in outcome ? [outcome.answer.buffer] : []);
});
