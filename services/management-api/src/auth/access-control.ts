import type { Pool } from '@millrace/postgres/pool.ts';
import type { Access } from '@millrace/http/define-route.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logger.ts';
import type { Config } from '../config.ts';
import type { HeardChanges } from '../heard-changes.ts';
import { createAccess } from './access.ts';
import { createCallerStore } from './caller-store.ts';
import { createKnownCallers } from './known-callers.ts';
import { createMemoryThrottleCounter } from './memory-throttle-counter.ts';
import { createNoteUse } from './note-use.ts';
import { createRedisThrottleCounter } from './redis-throttle-counter.ts';
import { createKnownRunTokens, createRunTokenStore } from './run-token-store.ts';
import { createRunTokens } from './run-tokens.ts';
import { createThrottles, noThrottles } from './throttles.ts';

const callersMax = 10_000;
const runTokensMax = 10_000;
/** Callers, and run tokens with what is pinned in them: one may be of a megabyte. */
const charsMax = 16_000_000;
const callerAgeMsMax = 60_000;

/** Who may do what, and how often: what the settings say, with everything that has to be started and stopped. */
export function createAccessControl(config: Config, { pool, changes, clock, logger }: { pool: Pool; changes: HeardChanges; clock: Clock; logger: Logger }) {
  const store = createCallerStore(pool);
  const callers = createKnownCallers(store, { isHearing: changes.isHearing, max: callersMax, charsMax, ageMsMax: callerAgeMsMax });
  changes.onNews((news) => callers.hear(news));
  const { counter, throttles, close } = throttlesOf(config, logger);
  const tokens = createKnownRunTokens(createRunTokenStore(pool), { isHearing: changes.isHearing, max: runTokensMax, charsMax, ageMsMax: callerAgeMsMax });
  changes.onNews((news) => tokens.hear(news));
  const parts: Part[] = [{ name: 'throttles', stop: close }];
  return {
    ...createAccess({ clock, callers, noteUse: createNoteUse(store, clock, logger), throttles, runTokens: createRunTokens({ tokens, counter, clock }) }),
    /** What this process has just changed about keys, users, organizations or projects counts from its next call on. */
    afterCall: (access: Access) => {
      if (changesAccess(access)) callers.forget();
      if (changesAccess(access) || changesEndpoints(access)) tokens.forget();
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
