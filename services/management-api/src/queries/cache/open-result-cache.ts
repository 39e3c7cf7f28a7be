import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Config } from '../../config.ts';
import { createRedisResultCache } from './redis-result-cache.ts';
import { createMemoryResultCache, type ResultCache } from './result-cache.ts';

/** The cache of the settings: in Redis when `redisUrl` names one, else in this process. */
export function openResultCache(
  { redisUrl, queries }: Pick<Config, 'redisUrl' | 'queries'>,
  logger: Pick<Logger, 'warn'>,
): { cache: ResultCache; close: () => void } {
  const own = createMemoryResultCache(queries.cacheBytesMax);
  if (redisUrl === '') return { cache: own, close: () => undefined };
  const shared = createRedisResultCache(redisUrl, own, logger);
  return { cache: shared, close: () => shared.close() };
}
