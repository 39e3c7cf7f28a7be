import { runProcess } from '@millrace/runtime/run-process.ts';
import { readConsumerConfig } from './config.ts';
import { createConsumer } from './processes/create-consumer.ts';

runProcess(() => createConsumer(readConsumerConfig()));
