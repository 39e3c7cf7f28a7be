import type { Pool } from '@millrace/postgres/pool.ts';
import type { Access } from '@millrace/http/define-route.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Config } from '../config.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import { createAccess } from './access.ts';
import { createCallerStore } from './caller-store.ts';
import { createCallerCache } from './caller-cache.ts';
import { createMemoryThrottleCounter } from './memory-throttle-counter.ts';
import { createRecordUse } from './record-use.ts';
import { createRedisThrottleCounter } from './redis-throttle-counter.ts';
import { createRunTokenCache, createRunTokenStore } from './run-token-store.ts';
import { createRunTokens } from './run-tokens.ts';
import { createThrottles, noThrottles } from './throttles.ts';

const callersMax = 10_000;
const runTokensMax = 10_000;
/** Callers, and run tokens with what is pinned in them: one may be of a megabyte. */
const charsMax = 16_000_000;
const callerAgeMsMax = 60_000;

/** Authorization and throttles by the settings, with everything that has to be started and stopped. */
export function createAccessControl(
  config: Config,
  { pool, changes, clock, logger }: { pool: Pool; changes: ChangeFeed; clock: Clock; logger: Logger },
) {
  const store = createCallerStore(pool);
  const callers = createCallerCache(store, {
    isCaughtUp: changes.isCaughtUp,
    max: callersMax,
    charsMax,
    ageMsMax: callerAgeMsMax,
  });
  changes.onChange((batch) => callers.invalidate(batch));
  const { counter, throttles, close } = throttlesOf(config, logger);
  const tokens = createRunTokenCache(createRunTokenStore(pool), {
    isCaughtUp: changes.isCaughtUp,
    max: runTokensMax,
    charsMax,
    ageMsMax: callerAgeMsMax,
  });
  changes.onChange((batch) => tokens.invalidate(batch));
  const parts: Part[] = [{ name: 'throttles', stop: close }];
  return {
    ...createAccess({
      clock,
      callers,
      recordUse: createRecordUse(store, clock, logger),
      throttles,
      runTokens: createRunTokens({ tokens, counter, clock }),
    }),
    /**
     * Clears the caches, so that changes of this process to keys, users, organizations or projects count from its next
     * call on.
     */
    afterCall: (access: Access) => {
      if (changesAccess(access)) callers.clear();
      if (changesAccess(access) || changesEndpoints(access)) tokens.clear();
    },
    parts,
  };
}

/** Objects whose changes may change who may do what. */
const accessObjects = /^(?:organization|organization_member|personal_api_key|project|user):write$/;

function changesAccess(access: Access): boolean {
  return typeof access === 'object' && access.scope !== null && accessObjects.test(access.scope);
}

/** May a call of such a route change endpoints, or the variables that they share? */
export function changesEndpoints(access: Access): boolean {
  return typeof access === 'object' && access.scope === 'endpoint:write';
}

function throttlesOf({ throttles: settings, redisUrl }: Config, logger: Logger) {
  const own = createMemoryThrottleCounter();
  const shared = redisUrl === '' ? undefined : createRedisThrottleCounter(redisUrl, own, logger);
  // Run tokens have rates of their own, whatever keys have.
  const counter = shared ?? own;
  const close = (): void | Promise<void> => shared?.close();
  if (!settings.enabled) return { counter, throttles: noThrottles, close };
  const rates = {
    general: ratesOf(settings.perMinute, settings.perHour),
    symbolSets: ratesOf(settings.symbolSetsPerMinute, settings.symbolSetsPerHour),
  };
  return { counter, throttles: createThrottles({ counter, rates, exemptProjects: settings.exemptProjects }), close };
}

function ratesOf(perMinute: number, perHour: number) {
  return [
    { limit: perMinute, windowMs: 60_000 },
    { limit: perHour, windowMs: 3_600_000 },
  ];
}
