import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Config } from '../config.ts';
import { createMemoryThrottleCounter } from './memory-throttle-counter.ts';
import { createRedisThrottleCounter } from './redis-throttle-counter.ts';
import { createThrottles, noThrottles, type Rate, type ThrottleCounter, type Throttles } from './throttles.ts';

/** Rates of calls, and the counter of all rates. */
export interface OpenThrottles {
  /** Counts also where keys may call as often as they like. */
  counter: ThrottleCounter;
  throttles: Throttles;
  part: Part;
}

/** The throttles of the settings. All processes count together in Redis when `redisUrl` names one; else this process counts alone. */
export function openThrottles(
  { throttles: settings, redisUrl }: Pick<Config, 'throttles' | 'redisUrl'>,
  logger: Pick<Logger, 'warn'>,
): OpenThrottles {
  const own = createMemoryThrottleCounter();
  const shared = redisUrl === '' ? undefined : createRedisThrottleCounter(redisUrl, own, logger);
  const counter = shared ?? own;
  const part = { name: 'throttles', stop: (): void => shared?.close() };
  if (!settings.enabled) return { counter, throttles: noThrottles, part };
  const rates = {
    general: ratesOf(settings.perMinute, settings.perHour),
    symbolSets: ratesOf(settings.symbolSetsPerMinute, settings.symbolSetsPerHour),
    textRepr: ratesOf(settings.textReprPerMinute, settings.textReprPerHour),
    summarization: ratesOf(
      settings.summarizationPerMinute,
      settings.summarizationPerHour,
      settings.summarizationPerDay,
    ),
    translation: ratesOf(settings.translationPerMinute, settings.translationPerHour, settings.translationPerDay),
    materialized: ratesOf(settings.materializedPerMinute, settings.materializedPerHour),
  };
  return { counter, throttles: createThrottles({ counter, rates, exemptProjects: settings.exemptProjects }), part };
}

function ratesOf(perMinute: number, perHour: number, perDay?: number): Rate[] {
  return [
    { limit: perMinute, windowMs: 60_000 },
    { limit: perHour, windowMs: 3_600_000 },
    ...(perDay === undefined ? [] : [{ limit: perDay, windowMs: 86_400_000 }]),
  ];
}
