import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Config } from '../../config.ts';
import { openSharedConcurrencyLimiters } from './redis-concurrency-limiter.ts';
import { createConcurrencyLimiter, type ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { ConcurrencyLimits, Counted } from './shares.ts';

/** Queries, streams and reads of tables have separate slots: a run that a table answers waits for no query. */
export interface ConcurrencyLimiters {
  queries: ConcurrencyLimiter;
  streams: ConcurrencyLimiter;
  tables: ConcurrencyLimiter;
  close: () => void;
}

/** The limiters of the settings. All processes count together in Redis when `redisUrl` names one; else this process counts alone. */
export function openConcurrencyLimiters(
  { redisUrl, queries }: Pick<Config, 'redisUrl' | 'queries'>,
  logger: Pick<Logger, 'warn'>,
  onUncounted: () => void,
): ConcurrencyLimiters {
  const limits = {
    queries: limitsOf(queries),
    streams: limitsOf(queries.streams),
    tables: limitsOf(queries.tables),
  };
  const { waitMsMax } = queries;
  const own = (counted: Counted): ConcurrencyLimiter =>
    createConcurrencyLimiter(limits[counted], { counted, waitMsMax });
  if (redisUrl === '')
    return { queries: own('queries'), streams: own('streams'), tables: own('tables'), close: () => undefined };
  const shared = openSharedConcurrencyLimiters(redisUrl, logger);
  const open = (counted: Counted): ConcurrencyLimiter =>
    shared.open({ name: counted, counted, limits: limits[counted], waitMsMax, onUncounted });
  return { queries: open('queries'), streams: open('streams'), tables: open('tables'), close: () => shared.close() };
}

const limitsOf = ({
  runningMax,
  runningPerOrganizationMax,
  runningPerProjectMax,
  runningPerKeyMax,
}: Record<
  'runningMax' | 'runningPerOrganizationMax' | 'runningPerProjectMax' | 'runningPerKeyMax',
  number
>): ConcurrencyLimits => ({
  max: runningMax,
  perOrganizationMax: runningPerOrganizationMax,
  perProjectMax: runningPerProjectMax,
  perKeyMax: runningPerKeyMax,
});
