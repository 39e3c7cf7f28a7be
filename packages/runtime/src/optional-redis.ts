import { Redis } from 'ioredis';
import { makeStringsFast } from './fast-strings.ts';
import type { Logger } from './logger.ts';

// Whoever imports this has imported ioredis.
makeStringsFast();

/** A Redis that is never needed. */
export interface OptionalRedis {
  /** What the work answers; undefined when Redis is away, slow or resting: then the caller goes on without it. Never throws. */
  ask<Answer>(work: (redis: Redis) => Promise<Answer>): Promise<Answer | undefined>;
  close(): void;
}

export interface OptionalRedisOptions {
  /** Shown in Redis' list of clients. */
  connectionName: string;
  logger: Pick<Logger, 'warn'>;
  /** Logged once for each time that it goes away: what is done without it. */
  withoutIt: string;
}

/** A call goes on without Redis after this time, and leaves it alone for a while. */
const answerMsMax = 100;
const restMs = 1_000;

/** Connects at once, and again for ever. */
export function openOptionalRedis(url: string, { connectionName, logger, withoutIt }: OptionalRedisOptions): OptionalRedis {
  const redis = new Redis(url, {
    connectionName,
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
    if (!told) logger.warn({ err: error }, `Redis does not answer; ${withoutIt}`);
    told = true;
  }
  redis.on('error', onTrouble);
  redis.on('ready', () => {
    told = false;
  });

  return {
    async ask(work) {
      if (redis.status !== 'ready' || performance.now() < restUntilMs) return undefined;
      try {
        return await work(redis);
      } catch (error) {
        onTrouble(error);
        return undefined;
      }
    },
    close: () => redis.disconnect(),
  };
}
