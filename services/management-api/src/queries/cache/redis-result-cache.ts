import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { openOptionalRedis } from '@millrace/runtime/optional-redis.ts';
import type { EngineResult } from '../result/result-bytes.ts';
import type { ResultCache, StoredResult } from './result-cache.ts';

/** A larger result would delay the other commands of the connection: each process caches it in its own memory. */
const storedBytesMax = 4_194_304;

const keyOf = (key: string): string => `millrace:result:${key}`;

/** A cache in Redis for all processes; Redis' own settings bound its memory. While Redis does not reply, `fallback` is used. */
export function createRedisResultCache(
  url: string,
  fallback: ResultCache,
  logger: Pick<Logger, 'warn'>,
): ResultCache & { close(): void } {
  const redis = openOptionalRedis(url, {
    connectionName: 'millrace-results',
    logger,
    withoutIt: 'this process keeps results by itself',
  });
  return {
    async get(key) {
      const found = await redis.run(async (client) => ({ bytes: await client.getBuffer(keyOf(key)) }));
      return found?.bytes ? decode(found.bytes) : await fallback.get(key);
    },
    set(key, stored, options) {
      const storeHere = (): void => fallback.set(key, stored, options);
      // Checked before `encode`, which would copy tens of megabytes.
      if (stored.result.rows.length > storedBytesMax) return storeHere();
      void redis
        .run((client) => client.set(keyOf(key), encode(stored), 'PX', options.ttlMs))
        .then((done) => done ?? storeHere());
    },
    close: () => redis.close(),
  };
}

type Head = Omit<StoredResult, 'result'> & Omit<EngineResult, 'rows'>;
type StoredHead = Omit<Head, 'warnings'> & Partial<Head>;

/** A line of JSON, then the rows unchanged. */
function encode({ result: { rows, ...result }, ...rest }: StoredResult): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ...rest, ...result } satisfies Head)}\n`), rows]);
}

function decode(bytes: Buffer): StoredResult {
  const end = bytes.indexOf(0x0a);
  // Results that an earlier release stored have no warnings.
  const {
    hasMore,
    warnings = [],
    atMs,
    range,
    page,
    ...result
  } = JSON.parse(bytes.toString('utf8', 0, end)) as StoredHead;
  return {
    hasMore,
    warnings,
    atMs,
    ...(range && { range }),
    ...(page && { page }),
    result: { ...result, rows: bytes.subarray(end + 1) },
  };
}
