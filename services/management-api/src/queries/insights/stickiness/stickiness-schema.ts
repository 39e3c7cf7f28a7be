import { Array as ArrayType, Integer, Literal, Optional, type Static } from 'typebox';
import {
  commonFields,
  compareFilter,
  customAggregationTarget,
  intervalCount,
  looksOfFilters,
  oneOf,
  seriesNode,
  strict,
} from '../definition/schema-parts.ts';
import { seriesMaths } from '../definition/series-maths.ts';

/** A StickinessQuery (contract/insights 1.1, 9). */
export const stickinessSchema = strict({
  kind: Literal('StickinessQuery'),
  ...commonFields,
  series: ArrayType(seriesNode(seriesMaths), { minItems: 1, maxItems: 26 }),
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
export type StickinessDefinition = Static<typeof stickinessSchema>;
