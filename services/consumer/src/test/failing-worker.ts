import { serveTasks } from '@millrace/runtime/threads/serve-tasks.ts';

// A thread with a fault: each task ends it.
serveTasks(() => {
  throw new TypeError('a fault of ours');
});
