import { serveTasks } from '../../threads/serve-tasks.ts';
import { runTask } from './compile-task.ts';

// The thread of `compile-thread.ts`.
serveTasks(runTask);
