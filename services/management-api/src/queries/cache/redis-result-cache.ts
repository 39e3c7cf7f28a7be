import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { openOptionalRedis } from '@millrace/runtime/optional-redis.ts';
import type { EngineResult } from '../result/result-bytes.ts';
import type { ResultCache, StoredResult } from './result-cache.ts';

/** A larger one would hold up the others of its connection: each process keeps it for itself. */
const storedBytesMax = 4_194_304;

const keyOf = (key: string): string => `millrace:result:${key}`;

/** For all processes, in Redis, whose memory its own settings bound; while that does not answer, `inItsPlace`. */
export function createRedisResultCache(
  url: string,
  inItsPlace: ResultCache,
  logger: Pick<Logger, 'warn'>,
): ResultCache & { close(): void } {
  const redis = openOptionalRedis(url, {
    connectionName: 'millrace-results',
    logger,
    withoutIt: 'this process keeps results by itself',
  });
  return {
    async get(key) {
      const found = await redis.run(async (asked) => ({ bytes: await asked.getBuffer(keyOf(key)) }));
      return found?.bytes ? decode(found.bytes) : await inItsPlace.get(key);
    },
    set(key, stored, keeping) {
      const keepHere = (): void => inItsPlace.set(key, stored, keeping);
      // Not copied together first: it may be tens of megabytes.
      if (stored.result.rows.length > storedBytesMax) return keepHere();
      void redis
        .run((asked) => asked.set(keyOf(key), encode(stored), 'PX', keeping.ttlMs))
        .then((done) => done ?? keepHere());
    },
    close: () => redis.close(),
  };
}

type Head = Omit<StoredResult, 'result'> & Omit<EngineResult, 'rows'>;
type Kept = Omit<Head, 'warnings'> & Partial<Head>;

/** A line of JSON, then the rows as they are. */
function encode({ result: { rows, ...result }, ...rest }: StoredResult): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ...rest, ...result } satisfies Head)}\n`), rows]);
}

function decode(bytes: Buffer): StoredResult {
  const end = bytes.indexOf(0x0a);
  // Results of the release before have none.
  const { hasMore, warnings = [], atMs, ...result } = JSON.parse(bytes.toString('utf8', 0, end)) as Kept;
  return { hasMore, warnings, atMs, result: { ...result, rows: bytes.subarray(end + 1) } };
}
