import cluster from 'node:cluster';
import { reportState } from '@millrace/runtime/process/report-state.ts';
import type { App } from '@millrace/runtime/process/run-process.ts';
import { createPortMembership } from '@millrace/runtime/process/shared-port.ts';
import { createApp, type CaptureDeps } from '../app.ts';
import type { CaptureConfig } from '../config.ts';
import { createCaptures } from './create-captures.ts';

/**
 * Role of this process: the whole capture service, or one of several workers of it, or the first of these processes.
 */
export function createCapture(config: CaptureConfig, deps: CaptureDeps = {}): App {
  if (cluster.isWorker) return createApp(config, { ...deps, expose: reportState, membership: createPortMembership });
  return config.processes === 1 ? createApp(config, deps) : createCaptures(config);
}
