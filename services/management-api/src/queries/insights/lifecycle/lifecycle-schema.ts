import { Array as ArrayType, Literal, Optional, Unsafe, type Static } from 'typebox';
import {
  commonFields,
  customAggregationTarget,
  intervalCount,
  looksOfFilters,
  seriesNode,
  strict,
  type EventsNode,
} from '../definition/schema-parts.ts';
import { seriesMaths } from '../definition/series-maths.ts';

/** A LifecycleQuery (contract/insights 1.1, 8). */
export const lifecycleSchema = strict({
  kind: Literal('LifecycleQuery'),
  ...commonFields,
  series: Unsafe<[EventsNode]>(ArrayType(seriesNode(seriesMaths), { minItems: 1, maxItems: 1 })),
  lifecycleFilter: Optional(strict({}, [...looksOfFilters, 'display', 'stacked', 'toggledLifecycles'])),
  customAggregationTarget,
  intervalCount,
});

/** A definition that fits the schema. */
export type LifecycleDefinition = Static<typeof lifecycleSchema>;
