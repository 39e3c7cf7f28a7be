import type { ChangeListener } from '@millrace/postgres/change-listener.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { CaptureConfig } from '../config.ts';
import { onProjectChange } from './on-project-change.ts';
import { createProjectLimits, type ProjectLimitsStore } from '../limits/project-limits.ts';
import { createQuotaUsage } from '../limits/quota-usage.ts';
import { createPostgresSource, type ProjectSource } from './project-source.ts';
import { createProjectTokens, type ProjectTokens } from './project-tokens.ts';
import { createSharedTokens } from './redis-tokens.ts';

/** Capture's facts about projects in memory, kept up to date by `parts`. */
export interface ProjectState {
  tokens: ProjectTokens;
  limits: ProjectLimitsStore;
  changes: ChangeListener;
  /** Start them in this order, before the first lookup. */
  parts: Part[];
}

/** A token that is unknown stays so for 5 s at most; the change feed mostly brings a new project earlier. */
const unknownTokenMs = 5_000;
/**
 * How long Redis keeps the project of a token. A process that finds it there queries the database too, soon after
 * (`tokenRefreshMs`).
 */
const sharedTokenMs = 60_000;
/** While the database is away: time between two attempts, in which new tokens are accepted unverified, and timeout of an attempt. */
const lookupRetryMs = 1_000;
const lookupMsMax = 1_000;
/** Interval at which each process writes its used quotas to the database; others read them that late. */
const usageIntervalMs = 1_000;

/** Tokens and limits over Postgres, with Redis in between if there is one, and the change feed. */
export function createProjectState(
  config: CaptureConfig,
  given: { source?: ProjectSource | undefined; clock: Clock; logger: Logger },
): ProjectState {
  const { clock, logger } = given;
  const source = given.source ?? createPostgresSource(config.postgres.url, lookupMsMax, logger);
  const shared =
    config.redisUrl === ''
      ? null
      : createSharedTokens(config.redisUrl, { knownMs: sharedTokenMs, unknownMs: unknownTokenMs, logger });
  const tokens = createProjectTokens(shared?.inFrontOf(source.lookUp) ?? source.lookUp, {
    refreshMs: config.tokenRefreshMs,
    unknownMs: unknownTokenMs,
    retryMs: lookupRetryMs,
    lookupMsMax,
    onLookupFailed: (error) =>
      logger.warn({ err: error }, 'project tokens cannot be looked up; new ones are accepted unverified'),
  });
  const limits = createProjectLimits({
    load: source.loadLimits,
    usage: createQuotaUsage(source.addUsage, clock),
    intervalMs: usageIntervalMs,
    onFailed: (error) =>
      logger.warn(
        { err: error },
        'quotas and restrictions cannot be looked up, or their use cannot be written; those in memory still apply',
      ),
  });
  const changes = source.listen(onProjectChange(tokens, limits));
  return {
    tokens,
    limits,
    changes,
    parts: [
      { name: 'redis', stop: () => shared?.close() },
      { name: 'projects', stop: () => source.close() },
      // Listened to first, so that what is loaded after it misses no change.
      { name: 'changes', start: () => changes.start(), stop: () => changes.stop() },
      { name: 'project tokens', start: () => tokens.start(), stop: () => tokens.stop() },
      { name: 'project limits', start: () => limits.start(), stop: () => limits.stop() },
    ],
  };
}
