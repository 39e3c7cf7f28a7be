import type { FilterGroup } from '../../filters/query-filters.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { IntervalsFrom } from '../interval-number.ts';
import type { BreakdownValue } from '../histogram-value.ts';

/** Events that start or that return. */
export interface RetentionEvents {
  /** Name of the events; null: all. */
  event: string | null;
  /** Conditions beside those of the whole query. */
  conditions: FilterGroup;
}

/** Retention of the actors of a range (contract/insights 7). */
export interface RetentionPlan {
  start: RetentionEvents;
  returning: RetentionEvents;
  /** Conditions of all events. */
  conditions: FilterGroup;
  /** Intervals of the range: those of the rows. */
  intervals: IntervalsFrom;
  /** Number of them. */
  rows: number;
  /** Values of a row, value 0 included. */
  values: number;
  /** End of the range, inclusive: UTC text. */
  to: string;
  /**
   * Interval of an actor: each with a start event, that of the first start event ever, that of the first event ever of
   * the name if it is a start event.
   */
  type: 'recurring' | 'first_time' | 'first_ever';
  /** Type of the groups that are the actors; null: persons. */
  groupTypeIndex: number | null;
  /** Returning events that an interval must have, at least 1. */
  minimum: number;
  /** Does who came back count for all values before? */
  cumulative: boolean;
  /** Lengths of the values after value 0, in intervals; undefined: 1 each. */
  brackets?: readonly number[] | undefined;
  /**
   * Values begin with the actor's own first start event of the row and are this long; undefined: they are intervals of
   * the calendar.
   */
  windowSeconds?: number | undefined;
  /** Nullable number of an event's row that is summed. Not with `windowSeconds`. */
  summed?: Expression | undefined;
  /**
   * Nullable text of an event's row, or the bin of its number: an actor with one value is another actor than with
   * another.
   */
  breakdown?: BreakdownValue | undefined;
  /** Values of the breakdown that have a row of their own; the others are folded into one. */
  breakdownValuesMax: number;
}
