import { collectWhenGrownBy } from '@millrace/runtime/process/full-collections.ts';
import { runProcess } from '@millrace/runtime/process/run-process.ts';
import { createApp } from './app.ts';
import { configFromEnvironment } from './config.ts';

// A full collection delays cached runs by 5 to 10 ms, and at 2,500 runs/s there was one every two to four seconds (docs/performance.md#management-api).
collectWhenGrownBy(100);
runProcess(() => createApp(configFromEnvironment()));
