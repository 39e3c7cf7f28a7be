import { runProcess } from '@millrace/runtime/run-process.ts';
import { createApp } from './app.ts';
import { readConsumerConfig } from './config.ts';

runProcess(() => createApp(readConsumerConfig()));
