import {
  Array as ArrayType,
  Boolean as BooleanType,
  Integer,
  Literal,
  Optional,
  String as StringType,
  Unknown,
  type Static,
} from 'typebox';
import { breakdownFilter } from '../definition/breakdown-schema.ts';
import {
  commonFields,
  customAggregationTarget,
  filters,
  looksOfFilters,
  oneOf,
  strict,
} from '../definition/schema-parts.ts';

export const periods = ['Hour', 'Day', 'Week', 'Month'] as const;

const entity = strict({
  id: Optional(StringType()),
  // Free, so that the error says that actions do not exist here.
  type: Optional(StringType()),
  properties: Optional(filters()),
  name: Optional(Unknown()),
  order: Optional(Unknown()),
  uuid: Optional(Unknown()),
  kind: Optional(Unknown()),
  custom_name: Optional(Unknown()),
});

const retentionFilter = strict(
  {
    targetEntity: Optional(entity),
    returningEntity: Optional(entity),
    period: Optional(oneOf(periods)),
    totalIntervals: Optional(Integer({ minimum: 1, maximum: 1_000 })),
    retentionType: Optional(oneOf(['retention_recurring', 'retention_first_time', 'retention_first_ever_occurrence'])),
    cumulative: Optional(BooleanType()),
    minimumOccurrences: Optional(Integer({ minimum: 1, maximum: 1_000_000 })),
    retentionCustomBrackets: Optional(ArrayType(Integer({ minimum: 1, maximum: 10_000 }), { maxItems: 999 })),
    aggregationType: Optional(oneOf(['count', 'sum', 'avg'])),
    aggregationProperty: Optional(StringType()),
    aggregationPropertyType: Optional(oneOf(['event', 'person'])),
    timeWindowMode: Optional(oneOf(['strict_calendar_dates', '24_hour_windows'])),
    customAggregationTarget,
  },
  [
    ...looksOfFilters,
    'display',
    'cohortLabelStartIndex',
    'dashboardDisplay',
    'meanRetentionCalculation',
    'retentionReference',
    'selectedInterval',
  ],
);

const { interval: _, ...fields } = commonFields;

/** A RetentionQuery (contract/insights 1.1, 7). */
export const retentionSchema = strict({
  kind: Literal('RetentionQuery'),
  ...fields,
  breakdownFilter: Optional(breakdownFilter),
  retentionFilter,
  customAggregationTarget,
});

/** Start or return, as it is given. */
export type RetentionEntity = Static<typeof entity>;

export type RetentionFilter = Static<typeof retentionFilter>;

/** A definition that fits the schema. */
export type RetentionDefinition = Static<typeof retentionSchema>;
