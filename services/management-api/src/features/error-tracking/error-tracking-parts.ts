import type { ObjectStorage } from '@millrace/object-storage/object-storage.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import { createAlertParts, type AlertPartsOptions } from './alerts/alert-parts.ts';
import type { ResolveHost } from './alerts/webhooks/resolve-host.ts';
import type { Context } from './context.ts';
import { errorTrackingSweeps } from './sweeps.ts';

interface PartsOptions extends Omit<AlertPartsOptions, 'isPrivateAllowed' | 'resolveHost'> {
  storage: ObjectStorage | undefined;
}

/** The parts of error tracking, those of its `context.ts`, and those that start and stop with the process. */
export function createErrorTrackingParts(
  { alertPrivateAllowed }: { alertPrivateAllowed: boolean },
  { resolveHost }: { resolveHost?: ResolveHost },
  options: PartsOptions,
): { context: Pick<Context, 'storage' | 'alerts'>; parts: Part[] } {
  const { storage } = options;
  const { alerts, part } = createAlertParts({ ...options, isPrivateAllowed: alertPrivateAllowed, resolveHost });
  return { context: { storage, alerts }, parts: [...errorTrackingSweeps(options), part] };
}
