import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { openOptionalRedis } from '@millrace/runtime/optional-redis.ts';
import type { ProjectLookup } from './project-tokens.ts';

/** Project tokens that all capture processes share, in front of the database. */
export interface SharedTokens {
  /** The lookup with a cache in Redis: it reads Redis first, and stores found projects there. */
  inFrontOf(lookUp: ProjectLookup): ProjectLookup;
  close(): void;
}

export interface SharedTokensOptions {
  /** Lifetime of an entry with a project. */
  knownMs: number;
  /** Lifetime of an entry without a project. */
  unknownMs: number;
  logger: Logger;
}

const keyOf = (token: string): string => `millrace:token:${token}`;
const noProject = 'none';

/** A project or none; null when Redis has no entry, or one that another program wrote. */
function meaningOf(value: string | null): number | typeof noProject | null {
  if (value === noProject) return noProject;
  return value !== null && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : null;
}

/**
 * Shares looked-up tokens over Redis (contract/capture 1.6: memory, then Redis, then Postgres). Redis is never needed:
 * when it is away or slow, the database is queried. What must be fresh is never read here; a token that is no project's
 * any more is written here at once, so that no process takes it for one.
 */
export function createSharedTokens(url: string, { knownMs, unknownMs, logger }: SharedTokensOptions): SharedTokens {
  const redis = openOptionalRedis(url, {
    connectionName: 'millrace-capture',
    logger,
    withoutIt: 'project tokens are looked up in Postgres',
  });

  async function read(tokens: readonly string[]): Promise<(string | null)[]> {
    if (tokens.length === 0) return [];
    return (await redis.run((client) => client.mget(tokens.map(keyOf)))) ?? [];
  }

  async function write(tokens: readonly string[], found: ReadonlyMap<string, number>): Promise<void> {
    if (tokens.length === 0) return;
    await redis.run(async (client) => {
      const pipeline = client.pipeline();
      for (const token of tokens) {
        const id = found.get(token);
        pipeline.set(
          keyOf(token),
          id === undefined ? noProject : String(id),
          'PX',
          id === undefined ? unknownMs : knownMs,
        );
      }
      await pipeline.exec();
    });
  }

  return {
    inFrontOf: (lookUp) => async (tokens, fresh) => {
      const found = new Map<string, number>();
      const shared = fresh ? [] : await read(tokens);
      const missing = tokens.filter((token, index) => {
        const said = meaningOf(shared[index] ?? null);
        if (typeof said === 'number') found.set(token, said);
        return said === null;
      });
      if (missing.length === 0 && tokens.length > 0) return found;
      const loaded = await lookUp(missing, fresh);
      for (const [token, id] of loaded) found.set(token, id);
      // On refresh only tokens that became invalid are written.
      void write(fresh ? missing.filter((token) => !loaded.has(token)) : missing, loaded);
      return found;
    },
    close: () => redis.close(),
  };
}
