import { eventKind } from '@millrace/contracts/event-kinds.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';

/**
 * Rates of a distinct id and its project: `hot` is above the rate of the id, `very hot` so far above that one partition cannot
 * bear it; `crowded` is above the rate limit of the project.
 */
export type RateState = 'normal' | 'crowded' | 'hot' | 'very hot';

/** Result of the restrictions of an event; dropping is decided before. */
export interface RestrictionResult {
  deadLetter: boolean;
  overflow: boolean;
  personless: boolean;
}

/** Target of an event. */
export interface Placement {
  lane: Lane;
  /** The lane it would have without restrictions and limits. */
  home: Lane;
  /** True: the partition is chosen by distinct id, so that its events stay in order. False: by uuid, spread over all partitions. */
  keyed: boolean;
  /** Persons are not changed: their updates would be out of order, or an operator has set it. */
  personless: boolean;
}

export const unrestricted: RestrictionResult = Object.freeze({ deadLetter: false, overflow: false, personless: false });

export type HomeLane = 'main' | 'historical' | 'exceptions';

/** The lane by kind alone. Exceptions have one of their own, also those of the past (contract/capture 3.1). */
export function homeLane(event: string, historical: boolean): HomeLane {
  return eventKind(event).lane ?? (historical ? 'historical' : 'main');
}

/**
 * Dead letters before overflow (contract/capture 1.11). Only the main lane flows over: historical events are never
 * limited and stay in order, exceptions have nothing to protect. What is forced there, or is very hot, is spread, and
 * then leaves persons alone; what is merely hot keeps its key if `overflowKeepsKey` (3.4); what is above its project's limit
 * keeps it always.
 */
export function placeEvent(
  home: Lane,
  restrictions: RestrictionResult,
  rateState: RateState,
  overflowKeepsKey: boolean,
): Placement {
  const { personless } = restrictions;
  if (restrictions.deadLetter) return { lane: 'dead-letter', home, keyed: true, personless };
  if (home === 'main') {
    if (restrictions.overflow || rateState === 'very hot')
      return { lane: 'overflow', home, keyed: false, personless: true };
    if (rateState === 'crowded') return { lane: 'overflow', home, keyed: true, personless };
    if (rateState === 'hot') return { lane: 'overflow', home, keyed: overflowKeepsKey, personless };
  }
  return { lane: home, home, keyed: true, personless };
}
