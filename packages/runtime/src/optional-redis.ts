import { Redis } from 'ioredis';
import { makeStringsFast } from './fast-strings.ts';
import type { Logger } from './logs/logger.ts';

// Whoever imports this has imported ioredis.
makeStringsFast();

/** A Redis that the service can do without. */
export interface OptionalRedis {
  /** The result of `work`; undefined when Redis is away, slow or backing off: then the caller continues without it. Never throws. */
  run<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result | undefined>;
  close(): void;
}

export interface OptionalRedisOptions {
  /** Shown in Redis' list of clients. */
  connectionName: string;
  logger: Pick<Logger, 'warn'>;
  /** Logged once for each time that it goes away: what is done without it. */
  withoutIt: string;
}

/** After this time a call continues without Redis, and so do calls of the next second. */
const replyMsMax = 100;
const restMs = 1_000;

/** Connects at once, and again for ever. */
export function openOptionalRedis(
  url: string,
  { connectionName, logger, withoutIt }: OptionalRedisOptions,
): OptionalRedis {
  const redis = new Redis(url, {
    connectionName,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: replyMsMax,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 200, restMs),
  });
  let restUntilMs = 0;
  let isReported = false;

  function onFailure(error: unknown): void {
    restUntilMs = performance.now() + restMs;
    if (!isReported) logger.warn({ err: error }, `Redis does not respond; ${withoutIt}`);
    isReported = true;
  }
  redis.on('error', onFailure);
  redis.on('ready', () => {
    isReported = false;
  });

  return {
    async run(work) {
      if (redis.status !== 'ready' || performance.now() < restUntilMs) return undefined;
      try {
        return await work(redis);
      } catch (error) {
        onFailure(error);
        return undefined;
      }
    },
    close: () => redis.disconnect(),
  };
}
