import { serveTasks } from '@millrace/runtime/threads/serve-tasks.ts';
import { buffersOf, runRenderTask } from './render-task.ts';

// The thread of `render-threads.ts`.
serveTasks(runRenderTask, buffersOf);
