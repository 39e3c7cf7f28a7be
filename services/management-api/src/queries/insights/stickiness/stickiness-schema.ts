import { Array as ArrayType, Integer, Literal, Optional } from 'typebox';
import {
  commonFields,
  compareFilter,
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

/** A StickinessQuery (contract/insights 1.1, 9). */
export const stickinessSchema = strict({
  kind: Literal('StickinessQuery'),
  ...commonFields,
  series: ArrayType(strict({ ...eventsNodeFields, ...mathFields, math: Optional(oneOf(seriesMaths)) }), {
    minItems: 1,
    maxItems: 26,
  }),
  compareFilter: Optional(compareFilter),
  stickinessFilter: Optional(
    strict(
      {
        computedAs: Optional(oneOf(['non_cumulative', 'cumulative'])),
        stickinessCriteria: Optional(
          strict({ operator: oneOf(['gte', 'lte', 'exact']), value: Integer({ minimum: 1 }) }),
        ),
      },
      [...looksOfFilters, 'display'],
    ),
  ),
  intervalCount,
  customAggregationTarget,
});

/** A definition that fits the schema. */
export interface StickinessDefinition extends CommonDefinition {
  series: readonly EventsNode[];
  interval?: IntervalUnit;
  properties?: unknown;
  filterTestAccounts?: boolean;
  compareFilter?: { compare?: boolean; compare_to?: string };
  stickinessFilter?: {
    computedAs?: 'non_cumulative' | 'cumulative';
    stickinessCriteria?: { operator: 'gte' | 'lte' | 'exact'; value: number };
  };
}
