import { runProcess } from '@millrace/runtime/process/run-process.ts';
import { readConsumerConfig } from './config.ts';
import { collectLessOften } from './fewer-collections.ts';
import { createConsumer } from './processes/create-consumer.ts';

collectLessOften();
runProcess(() => createConsumer(readConsumerConfig()));
