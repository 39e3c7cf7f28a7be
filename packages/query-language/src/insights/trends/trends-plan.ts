import type { BreakdownValue } from '../histogram-value.ts';
import type { IntervalUnit } from '../interval-start.ts';
import type { NumberMath } from '../number-math.ts';
import type { FilterGroup } from '../../filters/query-filters.ts';
import type { Expression } from '../../tree/expressions.ts';

/** Number of an interval (contract/insights 5.1). `group`: index of a group type, whose events without a key do not count. */
export type TrendsMath =
  | { of: 'events' }
  /** Different persons, groups or sessions of the interval. `once`: each counts in the interval of its first event alone. */
  | { of: 'actors'; actor: TrendsActor; once: boolean }
  /** Different persons of so many seconds that end with the interval. */
  | { of: 'active'; window: ActiveWindow }
  /** Persons whose first event ever lies in the interval. `matching`: the first that passes the conditions, else the first that has the name. */
  | { of: 'firsts'; matching: boolean }
  | { of: 'numbers'; math: NumberMath; number: Expression }
  | { of: 'sessions'; math: NumberMath }
  | { of: 'events by actor'; math: NumberMath }
  | { of: 'expression'; expression: Expression };

export type TrendsActor = 'person' | 'session' | { group: number };

/** Window of `weekly_active` and `monthly_active` in units of its slots, and the first and last slot of the results. */
export interface ActiveWindow {
  slots: ActiveSlots;
  width: number;
  first: number;
  last: number;
}

/** Slots of time: days since 1970 by the calendar, or starts of hours or minutes as seconds since 1970. */
export type ActiveSlots = 'day' | 'hour' | 'minute';

/** Unit of the intervals; `total`: the range is one. */
export type TrendsUnit = IntervalUnit | 'total';

/** A series in one period. Moments are UTC texts of microseconds, both inclusive. */
export interface TrendsSeries {
  event: string | null;
  conditions: FilterGroup;
  from: string;
  to: string;
  math: TrendsMath;
}

/** All series of all periods. */
export interface TrendsPlan {
  series: readonly TrendsSeries[];
  unit: TrendsUnit;
  values: readonly BreakdownValue[];
  /** Values that a series keeps apart; the rest is folded into one row. */
  valuesMax: number;
}
