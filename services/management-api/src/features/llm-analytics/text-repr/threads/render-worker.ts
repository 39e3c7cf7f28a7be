import { parentPort } from 'node:worker_threads';
import type { UnparsedBody } from '@millrace/http/define-route.ts';
import { runRenderTask } from './render-task.ts';

// A thread of `render-threads.ts`: one task at a time, each with one message as its outcome, whose bytes are handed over.
parentPort?.on('message', (body: UnparsedBody) => {
  const outcome = runRenderTask(body);
  parentPort?.postMessage(outcome, 'answer' in outcome ? [outcome.answer.buffer] : []);
});
