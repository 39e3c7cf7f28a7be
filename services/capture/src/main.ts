import { runProcess } from '@millrace/runtime/process/run-process.ts';
import { readCaptureConfig } from './config.ts';
import { createCapture } from './processes/create-capture.ts';
import { tuneCollections } from './processes/tune-collections.ts';

tuneCollections();
runProcess(() => createCapture(readCaptureConfig()));
