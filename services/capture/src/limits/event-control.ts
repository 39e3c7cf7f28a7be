import { bounded } from '../events/safe-text.ts';
import { createProjectRateLimit, type ProjectRateLimit } from './project-rate-limit.ts';
import {
  homeLane,
  unrestricted,
  placeEvent,
  type RateState,
  type HomeLane,
  type Placement,
  type RestrictionResult,
} from './place-event.ts';
import type { ProjectLimits } from './project-limits.ts';
import { isBelowLimit, renewCounter } from './quota-counter.ts';
import { quotaResourcesOf } from './quota-resources.ts';
import { createRateLimiter, type Rate } from './rate-limiter.ts';
import { comparableSession, isRestricted, type EventTraits } from './restriction-rules.ts';
import type { ControlDropReason, ControlledEvent, EventWarning } from '../events/event.ts';

type Decision =
  | { dropped: null; placement: Placement; warning: EventWarning | null }
  | { dropped: ControlDropReason; warning: EventWarning };

/** Decides about one event; `key` is `token:distinct_id`. */
export type DecideEvent = (event: ControlledEvent, key: string) => Decision;

export interface EventControlOptions {
  limitsOf: (token: string) => ProjectLimits | undefined;
  /** Events of one token; null: not limited. */
  tokenRate: Rate | null;
  /** Events of one distinct id in the main lane; null: not limited. */
  keyRate: Rate | null;
  overflowKeepsKey: boolean;
  /** Events of one project in the main lane; null: not limited. */
  projectRate: Rate | null;
  /** True when there is more than one project; a single one may use the whole main lane. */
  isShared: () => boolean;
}

export interface EventControl {
  /** False when the token has sent too much: the request is refused with 429. Historical events are never limited (spec 4.5). */
  admits(token: string, events: number, historical: boolean, nowMs: number): boolean;
  /** The rule for the events of one request. */
  forRequest(token: string, historical: boolean, nowMs: number): DecideEvent;
}

/** Tokens and distinct ids that the limiters hold. */
const keysMax = 200_000;
/** A distinct id above this many times its rate is too much for one partition. */
const veryHotTimes = 10;

const at = (lane: HomeLane): Decision =>
  Object.freeze({ dropped: null, placement: placeEvent(lane, unrestricted, 'normal', true), warning: null });
const usual: Readonly<Record<HomeLane, Decision>> = {
  main: at('main'),
  historical: at('historical'),
  exceptions: at('exceptions'),
};

/** Decision where nothing is limited: the kind of an event decides, and no event costs anything. */
export const decideMain: DecideEvent = ({ event }) => usual[homeLane(event, false)];
const decideHistorical: DecideEvent = ({ event }) => usual[homeLane(event, true)];

/** Quotas, restrictions and rates of contract/capture 1.11, in this order: dropped by an operator, over quota, placed. */
export function createEventControl({
  limitsOf,
  tokenRate,
  keyRate,
  overflowKeepsKey,
  projectRate,
  isShared,
}: EventControlOptions): EventControl {
  const projectLimit = projectRate === null ? null : createProjectRateLimit(projectRate);
  const tokens = tokenRate === null ? null : createRateLimiter(tokenRate, keysMax);
  const keys = keyRate === null ? null : createRateLimiter(keyRate, keysMax);
  const hotKeys =
    keyRate === null
      ? null
      : createRateLimiter(
          { perSecond: keyRate.perSecond * veryHotTimes, burst: keyRate.burst * veryHotTimes },
          keysMax,
        );

  function rateStateOf(token: string, key: string, nowMs: number, limit: ProjectRateLimit | null): RateState {
    if (keys !== null && hotKeys !== null && !keys.take(key, 1, nowMs))
      return hotKeys.take(key, 1, nowMs) ? 'hot' : 'very hot';
    return limit === null || limit.allows(token, key, nowMs) ? 'normal' : 'crowded';
  }

  return {
    admits: (token, events, historical, nowMs) => tokens === null || historical || tokens.take(token, events, nowMs),

    forRequest(token, historical, nowMs) {
      const limits = limitsOf(token);
      const limit = historical || projectLimit === null || !isShared() ? null : projectLimit;
      if (limits === undefined && keys === null && limit === null) return historical ? decideHistorical : decideMain;
      return (event, key) => {
        const refused = limits === undefined ? null : refuse(limits, event, nowMs);
        if (refused !== null) return refused;
        const home = homeLane(event.event, historical);
        const restrictions = limits === undefined ? unrestricted : restrictionsOn(limits, event);
        const rateState =
          home === 'main' && !restrictions.deadLetter && !restrictions.overflow
            ? rateStateOf(token, key, nowMs, limit)
            : 'normal';
        const warning = warningOf(rateState, event);
        return { dropped: null, placement: placeEvent(home, restrictions, rateState, overflowKeepsKey), warning };
      };
    },
  };
}

function refuse({ rules, quotas }: ProjectLimits, event: ControlledEvent, nowMs: number): Decision | null {
  if (rules !== null && isRestricted(rules, 'drop_event', traitsOf(event))) {
    return { dropped: 'event_restriction_drop', warning: { type: 'event_restriction_drop', details: about(event) } };
  }
  if (quotas.size === 0) return null;
  const counted = quotaResourcesOf(event.event, event.properties).flatMap((resource) => {
    const quota = quotas.get(resource);
    return quota === undefined ? [] : [{ resource, ...quota }];
  });
  for (const { resource, limit, counter } of counted) {
    renewCounter(counter, nowMs);
    if (isBelowLimit(counter, limit)) continue;
    // Without the distinct id, which would make it a warning of its own for each: the quota is the project's.
    const { distinctId: _, ...one } = about(event);
    const details = { ...one, resource, limit, period: counter.period };
    return { dropped: `${resource}_over_quota`, warning: { type: 'quota_limited', details } };
  }
  for (const { counter } of counted) counter.unreported++;
  return null;
}

function restrictionsOn({ rules }: ProjectLimits, event: ControlledEvent): RestrictionResult {
  if (rules === null) return unrestricted;
  const traits = traitsOf(event);
  return {
    deadLetter: isRestricted(rules, 'redirect_to_dlq', traits),
    overflow: isRestricted(rules, 'force_overflow', traits),
    personless: isRestricted(rules, 'skip_person_processing', traits),
  };
}

function traitsOf({ event, distinctId, uuid, properties }: ControlledEvent): EventTraits {
  const sessionId = properties['$session_id'];
  return {
    event,
    distinctId,
    uuid,
    sessionId: typeof sessionId === 'string' ? comparableSession(sessionId) : undefined,
  };
}

function about({ event, distinctId, uuid }: ControlledEvent): Record<string, unknown> {
  return { eventUuid: uuid, event: bounded(event), distinctId: bounded(distinctId) };
}

function warningOf(rateState: RateState, { distinctId }: ControlledEvent): EventWarning | null {
  if (rateState === 'normal') return null;
  const id = bounded(distinctId);
  // The limit is the project's: under another name the id does not make it a warning of its own for each.
  return rateState === 'crowded'
    ? { type: 'ingestion_capacity_overflow', details: { overflowDistinctId: id } }
    : { type: 'high_volume_distinct_id', details: { distinctId: id } };
}
