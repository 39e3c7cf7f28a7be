import type { FilterGroup } from '../../filters/query-filters.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { IntervalUnit } from '../interval-start.ts';

/** A step of a funnel (contract/insights 6.1). */
export interface FunnelStep {
  /** Name of its events; null: all. */
  event: string | null;
  conditions: FilterGroup;
  /** Only the first event ever of a person is the step: of those with the name, or of those that pass the step's conditions too. */
  first?: 'named' | 'matching' | undefined;
}

/** An event that spoils ways between two steps. Steps are counted from 0; `from` is less than `to`. */
export interface FunnelExclusion {
  event: string | null;
  conditions: FilterGroup;
  from: number;
  to: number;
}

/** Values of an actor (contract/insights 6.4). `step`: values of the events of that step, counted from 0. */
export type FunnelAttribution = 'first_touch' | 'last_touch' | 'all_events' | { step: number };

/** Breakdown of a funnel. Values beyond `valuesMax` become one. */
export interface FunnelBreakdown {
  /** Text of an event's row; NULL and `''`: none. */
  value: Expression;
  attribution: FunnelAttribution;
  valuesMax: number;
}

/** Results: figures of all steps, entries and conversions by interval, or the times of conversions in bins. Steps are counted from 0. */
export type FunnelResult =
  | { kind: 'steps' }
  | { kind: 'trends'; from: number; to: number; unit: IntervalUnit }
  | { kind: 'times'; from: number; to: number; bins: number | undefined };

export interface FunnelPlan {
  /** Range of the events: UTC texts of microseconds, both inclusive. */
  from: string;
  to: string;
  /** Conditions of all events. */
  conditions: FilterGroup;
  /** Actor of an event's row. `sparse`: rows where it is NULL or `''` do not take part. */
  actor: { id: Expression; sparse: boolean };
  steps: readonly FunnelStep[];
  exclusions: readonly FunnelExclusion[];
  order: 'ordered' | 'strict' | 'unordered';
  windowSeconds: number;
  breakdown?: FunnelBreakdown | undefined;
  result: FunnelResult;
}

/** Window in microseconds; more than 126 years are as many, so that numbers stay exact. */
export const windowMicroseconds = ({ windowSeconds }: FunnelPlan): number => Math.min(windowSeconds * 1e6, 4e15);

/** Later than any window ends, in microseconds since the beginning of the range: 285 years. */
export const neverUs = 9e15;

/** Column of what events are, whatever their values. */
export const stepColumn = ({ breakdown }: FunnelPlan): 'steps' | 'codes' =>
  typeof breakdown?.attribution === 'object' ? 'steps' : 'codes';
