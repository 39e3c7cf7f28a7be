import { createChangeListener } from '@millrace/postgres/change-listener.ts';
import type { Pool } from '@millrace/postgres/pool.ts';
import type { Access } from '@millrace/http/define-route.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logger.ts';
import type { Config } from '../config.ts';
import { createAccess } from './access.ts';
import { createCallerStore } from './caller-store.ts';
import { createKnownCallers } from './known-callers.ts';
import { createMemoryThrottleCounter } from './memory-throttle-counter.ts';
import { createNoteUse } from './note-use.ts';
import { createRedisThrottleCounter } from './redis-throttle-counter.ts';
import { createThrottles, noThrottles } from './throttles.ts';

/** What is remembered of callers counts while all changes up to this long ago are known to have been heard. */
const unheardMsMax = 1_000;
/** So often the bus is asked even when it is silent, so that a silent bus is not taken for a lost one. */
const pollMs = 500;
const callersMax = 10_000;
const callerAgeMsMax = 60_000;

/** Who may do what, and how often: what the settings say, with everything that has to be started and stopped. */
export function createAccessControl(config: Config, { pool, clock, logger }: { pool: Pool; clock: Clock; logger: Logger }) {
  const store = createCallerStore(pool);
  const changes = createChangeListener(config.postgres.url, {
    applicationName: 'management-api-changes',
    pollMs,
    onNews: (news) => callers.hear(news),
    onLost: (error) => logger.warn({ err: error }, 'changes are not heard; callers are looked up each time'),
  });
  const isHearing = (): boolean => changes.connected() && performance.now() - changes.heardUntilMs() < unheardMsMax;
  const callers = createKnownCallers(store, { isHearing, max: callersMax, ageMsMax: callerAgeMsMax });
  const { throttles, close } = throttlesOf(config, logger);
  const parts: Part[] = [
    { name: 'throttles', stop: close },
    { name: 'changes', start: () => changes.start(), stop: () => changes.stop() },
  ];
  return {
    ...createAccess({ clock, callers, noteUse: createNoteUse(store, clock, logger), throttles }),
    /** What this process has just changed about keys, users, organizations or projects counts from its next call on. */
    afterCall: (access: Access) => {
      if (changesAccess(access)) callers.forget();
    },
    parts,
  };
}

/** Objects whose changes may change who may do what. */
const accessObjects = /^(?:organization|organization_member|personal_api_key|project|user):write$/;

function changesAccess(access: Access): boolean {
  return typeof access === 'object' && access.scope !== null && accessObjects.test(access.scope);
}

function throttlesOf({ throttles: settings, redisUrl }: Config, logger: Logger) {
  if (!settings.enabled) return { throttles: noThrottles, close: () => undefined };
  const own = createMemoryThrottleCounter();
  const shared = redisUrl === '' ? undefined : createRedisThrottleCounter(redisUrl, own, logger);
  const rates = {
    general: ratesOf(settings.perMinute, settings.perHour),
    symbolSets: ratesOf(settings.symbolSetsPerMinute, settings.symbolSetsPerHour),
  };
  return { throttles: createThrottles({ counter: shared ?? own, rates, exemptProjects: settings.exemptProjects }), close: () => shared?.close() };
}

function ratesOf(perMinute: number, perHour: number) {
  return [
    { limit: perMinute, windowMs: 60_000 },
    { limit: perHour, windowMs: 3_600_000 },
  ];
}
