import { createChangeListener } from '@millrace/postgres/change-listener.ts';
import type { News } from '@millrace/postgres/change.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logger.ts';
import type { Config } from './config.ts';

/** What is remembered counts while all changes up to this long ago are known to have been heard. */
const unheardMsMax = 1_000;
/** So often the bus is asked even when it is silent, so that a silent bus is not taken for a lost one. */
const pollMs = 500;

/** Changes that any process makes, for whoever remembers what is in the database. */
export interface HeardChanges {
  /** False: nobody may believe what they remember. */
  isHearing: () => boolean;
  /** From now on `hear` is told all news. It must not throw. */
  onNews(hear: (news: News) => void): void;
  part: Part;
}

/** One connection to the bus for all who remember. */
export function createHeardChanges(config: Pick<Config, 'postgres'>, logger: Pick<Logger, 'warn'>): HeardChanges {
  const hearers: ((news: News) => void)[] = [];
  const changes = createChangeListener(config.postgres.url, {
    applicationName: 'management-api-changes',
    pollMs,
    onNews: (news) => hearers.forEach((hear) => hear(news)),
    onLost: (error) => logger.warn({ err: error }, 'changes are not heard; callers and endpoints are looked up each time'),
  });
  return {
    isHearing: () => changes.connected() && performance.now() - changes.heardUntilMs() < unheardMsMax,
    onNews: (hear) => void hearers.push(hear),
    part: { name: 'changes', start: () => changes.start(), stop: () => changes.stop() },
  };
}
