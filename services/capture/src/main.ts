import { runProcess } from '@millrace/runtime/run-process.ts';
import { createApp } from './app.ts';
import { readCaptureConfig } from './config.ts';

runProcess(() => createApp(readCaptureConfig()));
