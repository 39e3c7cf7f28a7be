import { background, type Background } from '@millrace/runtime/background.ts';
import { systemClock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Registry } from '@millrace/runtime/operations/metrics.ts';
import type { ConsumerConfig } from '../config.ts';
import type { Database } from '../database.ts';
import type { ExceptionParts } from '../exceptions/exception-parts.ts';
import { createFrameStore } from '../exceptions/frame-store.ts';
import { createSymbolSets } from '../exceptions/symbols/symbol-sets.ts';
import { connectLateClickhouse } from './late-clickhouse.ts';
import { runLateJob } from './late-job.ts';
import { createLateMetrics } from './late-metrics.ts';
import { createPassStore } from './pass-store.ts';
import type { LateFailpoint } from './resolve-page.ts';

/** For tests. */
export interface LateMapsDeps {
  /** Interval of looking whether there is something to do. */
  checkEveryMs?: number;
  pageMax?: number;
  foundMax?: number;
  /** Called at named places. */
  failpoint?: (point: LateFailpoint) => Promise<void> | void;
}

interface Given {
  config: ConsumerConfig;
  db: Database;
  exceptions: Pick<ExceptionParts, 'compiled' | 'issues'>;
  registry: Registry;
  logger: Logger;
  deps?: LateMapsDeps | undefined;
}

/**
 * The resolving anew of stored exceptions whose maps came late, as a part of a process; without the password of user `maintainer` it does
 * nothing. Its stop waits for no answer of ClickHouse: a page that was under way is done again by the next process.
 */
export function createLateMaps({ config, db, exceptions, registry, logger, deps = {} }: Given): Background {
  const metrics = createLateMetrics(registry);
  return background((signal) => {
    const { failpoint, checkEveryMs = 5_000, ...turn } = deps;
    const { clickhouse: login, postgres, squash } = config;
    if (squash.password === null)
      return logger.info('CLICKHOUSE_MAINTAINER_PASSWORD is not set: this process resolves no stored exceptions anew');
    const maintainer = { url: login.url, user: 'maintainer', password: squash.password };
    const clickhouse = connectLateClickhouse(login, maintainer, signal);
    const parts = {
      clickhouse,
      passes: createPassStore(db),
      sets: () => createSymbolSets(db, systemClock),
      // Its own: what it stores is not charged to exceptions that come.
      frames: createFrameStore(db, systemClock),
      exceptions,
      onFault: (error: unknown, uuid: string) =>
        logger.error({ err: error, uuid }, 'a stored exception cannot be resolved anew: it stays as it is'),
      failpoint,
    };
    const options = { ...turn, parts, postgresUrl: postgres.url, checkEveryMs, logger, metrics };
    return runLateJob(options, signal).finally(() => clickhouse.close());
  });
}
