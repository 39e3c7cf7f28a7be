import { Array as ArrayType, Literal, Optional } from 'typebox';
import {
  commonFields,
  customAggregationTarget,
  eventsNodeFields,
  intervalCount,
  looksOfFilters,
  mathFields,
  oneOf,
  strict,
  type EventsNode,
} from '../definition/schema-parts.ts';
import { seriesMaths } from '../definition/series-maths.ts';
import type { IntervalUnit } from '../dates/intervals.ts';
import type { CommonDefinition } from '../insight-kind.ts';

/** A LifecycleQuery (contract/insights 1.1, 8). */
export const lifecycleSchema = strict({
  kind: Literal('LifecycleQuery'),
  ...commonFields,
  series: ArrayType(strict({ ...eventsNodeFields, ...mathFields, math: Optional(oneOf(seriesMaths)) }), {
    minItems: 1,
    maxItems: 1,
  }),
  lifecycleFilter: Optional(strict({}, [...looksOfFilters, 'display', 'stacked', 'toggledLifecycles'])),
  customAggregationTarget,
  intervalCount,
});

/** A definition that fits the schema. */
export interface LifecycleDefinition extends CommonDefinition {
  series: readonly [EventsNode];
  interval?: IntervalUnit;
  properties?: unknown;
  filterTestAccounts?: boolean;
  aggregation_group_type_index?: number;
}
