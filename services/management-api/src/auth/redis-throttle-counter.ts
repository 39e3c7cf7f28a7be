import type { Logger } from '@millrace/runtime/logger.ts';
import { Redis } from 'ioredis';
import type { ThrottleCounter } from './throttles.ts';

/** Throttles that all processes count together. */
export interface SharedThrottleCounter extends ThrottleCounter {
  close(): void;
}

/** A call goes on without Redis after this time, and leaves it alone for a while. */
const answerMsMax = 100;
const restMs = 1_000;

// Looks first whether all counters have room, then counts: one step, whoever else asks.
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

/** Counts in Redis; while that does not answer, with `inItsPlace`, so that the API works without it. */
export function createRedisThrottleCounter(url: string, inItsPlace: ThrottleCounter, logger: Pick<Logger, 'warn'>): SharedThrottleCounter {
  const redis = new Redis(url, {
    connectionName: 'millrace-management-api',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answerMsMax,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 200, restMs),
  });
  let restUntilMs = 0;
  let told = false;

  function onTrouble(error: unknown): void {
    restUntilMs = performance.now() + restMs;
    if (!told) logger.warn({ err: error }, 'Redis does not answer; this process throttles by itself');
    told = true;
  }
  redis.on('error', onTrouble);
  redis.on('ready', () => {
    told = false;
  });

  return {
    async take(name, rates) {
      if (redis.status !== 'ready' || performance.now() < restUntilMs) return await inItsPlace.take(name, rates);
      // The braces keep the counters of one name on one node of a cluster.
      const keys = rates.map(({ windowMs }) => `millrace:throttle:{${name}}:${windowMs}`);
      const args = rates.flatMap(({ limit, windowMs }) => [limit, windowMs]);
      try {
        return Number(await redis.eval(takeScript, keys.length, ...keys, ...args));
      } catch (error) {
        onTrouble(error);
        return await inItsPlace.take(name, rates);
      }
    },
    close: () => redis.disconnect(),
  };
}
