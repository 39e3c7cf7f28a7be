import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { openOptionalRedis } from '@millrace/runtime/optional-redis.ts';
import type { ThrottleCounter } from './throttles.ts';

/** Throttles that all processes count together. */
export interface SharedThrottleCounter extends ThrottleCounter {
  close(): void;
}

// Checks first whether all counters are below their rates, then counts: one atomic step.
const takeScript = `
local wait = 0
for i, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') >= tonumber(ARGV[2 * i - 1]) then
    wait = math.max(wait, redis.call('PTTL', key), 1)
  end
end
if wait > 0 then return wait end
for i, key in ipairs(KEYS) do
  if redis.call('INCR', key) == 1 then redis.call('PEXPIRE', key, ARGV[2 * i]) end
end
return 0`;

/** Counts in Redis; while that does not respond, with `fallback`, so that the API works without it. */
export function createRedisThrottleCounter(
  url: string,
  fallback: ThrottleCounter,
  logger: Pick<Logger, 'warn'>,
): SharedThrottleCounter {
  const redis = openOptionalRedis(url, {
    connectionName: 'millrace-management-api',
    logger,
    withoutIt: 'this process throttles by itself',
  });
  return {
    async take(name, rates) {
      // The braces keep the counters of one name on one node of a cluster.
      const keys = rates.map(({ windowMs }) => `millrace:throttle:{${name}}:${windowMs}`);
      const args = rates.flatMap(({ limit, windowMs }) => [limit, windowMs]);
      const waitMs = await redis.run((client) => client.eval(takeScript, keys.length, ...keys, ...args));
      return waitMs === undefined ? await fallback.take(name, rates) : Number(waitMs);
    },
    close: () => redis.close(),
  };
}
