import type { Logger } from '@millrace/runtime/logger.ts';
import type { Config } from '../../config.ts';
import { openSharedRunSlots } from './redis-run-slots.ts';
import { createRunSlots, type RunSlots, type SlotLimits } from './run-slots.ts';

/** Slots of queries and, apart from them, of streams. */
export interface OpenedRunSlots {
  queries: RunSlots;
  streams: RunSlots;
  close: () => void;
}

/** The slots that the settings ask for: counted in Redis by all processes when there is one, else in this process. */
export function openRunSlots({ redisUrl, queries }: Pick<Config, 'redisUrl' | 'queries'>, logger: Pick<Logger, 'warn'>, onUncounted: () => void): OpenedRunSlots {
  const limits = { queries: limitsOf(queries), streams: limitsOf(queries.streams) };
  const own = { queries: createRunSlots(limits.queries), streams: createRunSlots(limits.streams) };
  if (redisUrl === '') return { ...own, close: () => undefined };
  const shared = openSharedRunSlots(redisUrl, logger);
  const open = (name: 'queries' | 'streams'): RunSlots => shared.open({ name, limits: limits[name], inProcess: own[name], onUncounted });
  return { queries: open('queries'), streams: open('streams'), close: () => shared.close() };
}

const limitsOf = ({ runningMax, runningPerOrganizationMax, runningPerProjectMax, runningPerKeyMax }: Record<'runningMax' | 'runningPerOrganizationMax' | 'runningPerProjectMax' | 'runningPerKeyMax', number>): SlotLimits => ({
  max: runningMax,
  perOrganizationMax: runningPerOrganizationMax,
  perProjectMax: runningPerProjectMax,
  perKeyMax: runningPerKeyMax,
});
