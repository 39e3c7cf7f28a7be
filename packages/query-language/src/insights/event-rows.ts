import { lowerFilters } from '../filters/lower-filters.ts';
import type { FilterGroup } from '../filters/query-filters.ts';
import type { Expression } from '../tree/expressions.ts';
import { all, compare, constant, eventField } from './nodes.ts';

/** Events that a part of an insight is about. Moments are UTC texts of microseconds, both inclusive. */
export interface EventRows {
  /** Name of the events; null: all. */
  event: string | null;
  from?: string | undefined;
  to?: string | undefined;
  /** Conditions that all hold: those of the insight, of the series, of test accounts. */
  conditions: FilterGroup;
}

/** WHERE of the events, whose table is the first of FROM. @throws {SpanError} as `lowerFilters` does */
export function eventsWhere({ event, from, to, conditions }: EventRows): Expression {
  const named = event === null ? [] : [compare(eventField('event'), '==', constant(event))];
  const isAll = from === undefined && to === undefined && conditions.members.length === 0;
  return all(...named, ...(isAll ? [] : [lowerFilters({ from, to, conditions }, ['events'], { start: 0, end: 0 })]));
}
