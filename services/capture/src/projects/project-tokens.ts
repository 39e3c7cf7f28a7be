import { withTimeout } from '@millrace/runtime/with-timeout.ts';
import { TokenMemory } from './token-memory.ts';

/**
 * Looks up the project ids of the `tokens` that name a project; at most `lookupTokensMax` tokens a call. `fresh`: the
 * result may have changed, so it must come from the database, not from a cache.
 */
export type ProjectLookup = (tokens: readonly string[], fresh?: boolean) => Promise<ReadonlyMap<string, number>>;

/** Result for a token: a project, none, or `unverified` because the lookup fails. */
export type TokenResult = number | 'unknown' | 'unverified';

export interface ProjectTokensOptions {
  /** Interval at which known tokens are looked up again, in case a change was missed, and to end rotated tokens. */
  refreshMs: number;
  /** Time for which an unknown token is not looked up again. */
  unknownMs: number;
  /** After a failed lookup, how long tokens are taken unverified without a lookup. */
  retryMs: number;
  /** Timeout of a lookup, and so the longest wait for a token. */
  lookupMsMax: number;
  onLookupFailed: (error: unknown) => void;
}

export interface ProjectTokens {
  /** The result when it is in memory, without waiting. */
  known(token: string): TokenResult | undefined;
  /** The project, from the cache or from one lookup shared by all callers of the same time. Never rejects. */
  resolve(token: string): Promise<TokenResult>;
  /** Looks up again what is in memory of these projects and tokens: something about them has changed. */
  changed(projectIds: ReadonlySet<number>, tokens: Iterable<string>): Promise<void>;
  /** Looks up everything again that is in memory: changes may have been missed. */
  refresh(): Promise<void>;
  /** Null once a lookup has worked: from then on the projects' database may be away (see below). */
  unhealthyReason(): string | null;
  counts(): { projects: number; unknown: number; lookups: number; failedLookups: number };
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Most tokens of one lookup. */
export const lookupTokensMax = 1000;

/**
 * Project tokens in memory (contract/capture 1.6). When the lookup fails, known tokens stay known and new ones are
 * `unverified`: their events are taken and the consumer decides, because losing data over a metadata outage is worse. So
 * the database counts for readiness only until the first lookup worked (which shows that address, role and schema fit).
 */
export function createProjectTokens(lookUp: ProjectLookup, options: ProjectTokensOptions): ProjectTokens {
  const memory = new TokenMemory(options.unknownMs);
  const waiting = new Map<string, { result: Promise<TokenResult>; settle: (answer: TokenResult) => void }>();
  const counts = { lookups: 0, failedLookups: 0 };
  let lookingUp = false;
  let unhealthyReason: string | null = 'no project lookup has worked yet';
  let failedAtMs = -Infinity;
  let refreshTimer: NodeJS.Timeout | undefined;
  // One after the other, so that an older result never comes after a newer one.
  let refreshing: Promise<void> = Promise.resolve();
  let stopped = false;

  /** Looks up and caches. False when the lookup failed. */
  async function lookUpNow(tokens: readonly string[], fresh: boolean): Promise<boolean> {
    counts.lookups++;
    try {
      const found = await withTimeout(
        lookUp(tokens, fresh),
        options.lookupMsMax,
        () => new Error(`no response within ${options.lookupMsMax} ms`),
      );
      for (const token of tokens) memory.store(token, found.get(token));
      unhealthyReason = null;
      failedAtMs = -Infinity;
      return true;
    } catch (error) {
      counts.failedLookups++;
      failedAtMs = performance.now();
      options.onLookupFailed(error);
      return false;
    }
  }

  function known(token: string): TokenResult | undefined {
    return memory.get(token) ?? (failedJustNow() ? 'unverified' : undefined);
  }

  function failedJustNow(): boolean {
    return performance.now() - failedAtMs < options.retryMs;
  }

  /** Looks up all waiting tokens, one lookup at a time: tokens that come meanwhile are in the next one. */
  async function lookUpWaiting(): Promise<void> {
    lookingUp = true;
    while (waiting.size > 0) {
      const tokens = [...waiting.keys()].slice(0, lookupTokensMax);
      const worked = !failedJustNow() && (await lookUpNow(tokens, false));
      for (const token of tokens) {
        waiting.get(token)?.settle(worked ? (memory.get(token) ?? 'unknown') : 'unverified');
        waiting.delete(token);
      }
    }
    lookingUp = false;
  }

  function resolve(token: string): Promise<TokenResult> {
    const cached = known(token);
    if (cached !== undefined) return Promise.resolve(cached);
    let wait = waiting.get(token);
    if (wait === undefined) {
      const { promise, resolve: settle } = Promise.withResolvers<TokenResult>();
      wait = { result: promise, settle };
      waiting.set(token, wait);
      if (!lookingUp) void lookUpWaiting();
    }
    return wait.result;
  }

  function revalidate(tokensOf: () => string[]): Promise<void> {
    refreshing = refreshing.then(async () => {
      const tokens = tokensOf();
      for (let from = 0; from < tokens.length; from += lookupTokensMax) {
        if (!(await lookUpNow(tokens.slice(from, from + lookupTokensMax), true))) return;
      }
    });
    return refreshing;
  }

  /** Looks all known projects up again, or, before the first success, whether lookups work at all. */
  async function refresh(): Promise<void> {
    if (memory.counts().projects === 0 && unhealthyReason !== null) await lookUpNow([], true);
    await revalidate(() => memory.known());
  }

  function changed(projectIds: ReadonlySet<number>, tokens: Iterable<string>): Promise<void> {
    return revalidate(() => memory.about(projectIds, tokens));
  }

  function scheduleRefresh(): void {
    if (stopped) return;
    refreshTimer = setTimeout(
      () => void refresh().finally(scheduleRefresh),
      unhealthyReason === null ? options.refreshMs : options.retryMs,
    );
  }

  return {
    known,
    resolve,
    changed,
    async refresh() {
      memory.forgetUnknown();
      await refresh();
    },
    unhealthyReason: () => unhealthyReason,
    counts: () => ({ ...counts, ...memory.counts() }),
    async start() {
      await refresh();
      scheduleRefresh();
    },
    async stop() {
      stopped = true;
      clearTimeout(refreshTimer);
      await refreshing;
    },
  };
}
