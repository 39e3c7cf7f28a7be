import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Config } from '../../config.ts';
import { openSharedConcurrencyLimiters } from './redis-concurrency-limiter.ts';
import { createConcurrencyLimiter, type ConcurrencyLimiter, type ConcurrencyLimits } from './concurrency-limiter.ts';

/** Slots of queries and, apart from them, of streams. */
export interface ConcurrencyLimiters {
  queries: ConcurrencyLimiter;
  streams: ConcurrencyLimiter;
  close: () => void;
}

/** The limiters of the settings: counted in Redis by all processes when there is one, else in this process. */
export function openConcurrencyLimiters(
  { redisUrl, queries }: Pick<Config, 'redisUrl' | 'queries'>,
  logger: Pick<Logger, 'warn'>,
  onUncounted: () => void,
): ConcurrencyLimiters {
  const limits = { queries: limitsOf(queries), streams: limitsOf(queries.streams) };
  const own = { queries: createConcurrencyLimiter(limits.queries), streams: createConcurrencyLimiter(limits.streams) };
  if (redisUrl === '') return { ...own, close: () => undefined };
  const shared = openSharedConcurrencyLimiters(redisUrl, logger);
  const open = (name: 'queries' | 'streams'): ConcurrencyLimiter =>
    shared.open({ name, limits: limits[name], inProcess: own[name], onUncounted });
  return { queries: open('queries'), streams: open('streams'), close: () => shared.close() };
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
