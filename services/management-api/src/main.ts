import { runProcess } from '@millrace/runtime/run-process.ts';
import { createApp } from './app.ts';
import { configFromEnvironment } from './config.ts';

runProcess(() => createApp(configFromEnvironment()));
