import type { Pool } from '@millrace/postgres/pool.ts';
import type { Access } from '@millrace/http/define-route.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import { createAccess } from './access.ts';
import { createCallerStore } from './caller-store.ts';
import { createCallerCache } from './caller-cache.ts';
import { createRecordUse } from './record-use.ts';
import type { OpenThrottles } from './open-throttles.ts';
import { createRunTokenCache, createRunTokenStore } from './run-token-store.ts';
import { createRunTokens } from './run-tokens.ts';

const callersMax = 10_000;
const runTokensMax = 10_000;
/** Callers, and run tokens with what is pinned in them: one may be of a megabyte. */
const charsMax = 16_000_000;
const callerAgeMsMax = 60_000;

/** Authorization over the database of keys and tokens. Run tokens have rates of their own, whatever keys have. */
export function createAccessControl({
  pool,
  changes,
  clock,
  logger,
  counter,
  throttles,
}: {
  pool: Pool;
  changes: ChangeFeed;
  clock: Clock;
  logger: Logger;
} & Pick<OpenThrottles, 'counter' | 'throttles'>) {
  const store = createCallerStore(pool);
  const callers = createCallerCache(store, {
    isCaughtUp: changes.isCaughtUp,
    max: callersMax,
    charsMax,
    ageMsMax: callerAgeMsMax,
  });
  changes.onChange((batch) => callers.invalidate(batch));
  const tokens = createRunTokenCache(createRunTokenStore(pool), {
    isCaughtUp: changes.isCaughtUp,
    max: runTokensMax,
    charsMax,
    ageMsMax: callerAgeMsMax,
  });
  changes.onChange((batch) => tokens.invalidate(batch));
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
