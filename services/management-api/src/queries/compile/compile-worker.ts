import { serveTasks } from '@millrace/runtime/threads/serve-tasks.ts';
import { runTask } from './compile-task.ts';

// The thread of `compile-thread.ts`.
serveTasks(runTask);
