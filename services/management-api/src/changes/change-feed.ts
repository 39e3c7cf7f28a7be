import { createChangeListener } from '@millrace/postgres/change-listener.ts';
import type { ChangeBatch } from '@millrace/postgres/change.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Config } from '../config.ts';

/** Cached entries are used only if the change feed was read this recently. */
const lagMsMax = 1_000;
/** Poll interval; shows that a quiet feed is still connected. */
const pollMs = 500;

/** Changes that any process makes, for caches of rows. */
export interface ChangeFeed {
  /** False: no cached entry may be used. */
  isCaughtUp: () => boolean;
  /** From now on `listener` is called with all changes. It must not throw. */
  onChange(listener: (batch: ChangeBatch) => void): void;
  part: Part;
}

/** One connection for all caches of this process. */
export function createChangeFeed(config: Pick<Config, 'postgres'>, logger: Pick<Logger, 'warn'>): ChangeFeed {
  const listeners: ((batch: ChangeBatch) => void)[] = [];
  const changes = createChangeListener(config.postgres.url, {
    applicationName: 'management-api-changes',
    pollMs,
    onChange: (batch) => listeners.forEach((listener) => listener(batch)),
    onLost: (error) =>
      logger.warn({ err: error }, 'the change feed is lost; callers and endpoints are looked up each time'),
  });
  return {
    isCaughtUp: () => changes.connected() && performance.now() - changes.caughtUpAtMs() < lagMsMax,
    onChange: (listener) => void listeners.push(listener),
    part: { name: 'changes', start: () => changes.start(), stop: () => changes.stop() },
  };
}
