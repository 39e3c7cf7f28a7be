import {
  Array as ArrayType,
  Boolean as BooleanType,
  Integer,
  Literal,
  Number as NumberType,
  Optional,
  String as StringType,
  Unknown,
  type Static,
} from 'typebox';
import { breakdownFilter } from '../definition/breakdown-schema.ts';
import {
  commonFields,
  customAggregationTarget,
  eventsNode,
  funnelPathsFilter,
  looksOfFilters,
  nodeFields,
  oneOf,
  strict,
} from '../definition/schema-parts.ts';

const step = () => Integer({ minimum: 0, maximum: 19 });

const windowUnits = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const;

const exclusion = strict({ ...nodeFields, funnelFromStep: step(), funnelToStep: step() });

/** Fields of looks, beside those of all filters (contract/insights 1.2). */
const looks = [...looksOfFilters, 'breakdownSorting', 'funnelStepReference', 'layout', 'useUdf', 'display'] as const;

const funnelsFilter = strict(
  {
    funnelVizType: Optional(oneOf(['steps', 'time_to_convert', 'trends'])),
    funnelOrderType: Optional(oneOf(['ordered', 'strict', 'unordered'])),
    funnelWindowInterval: Optional(Integer({ minimum: 1 })),
    funnelWindowIntervalUnit: Optional(oneOf(windowUnits)),
    exclusions: Optional(ArrayType(exclusion)),
    breakdownAttributionType: Optional(oneOf(['first_touch', 'last_touch', 'all_events', 'step'])),
    breakdownAttributionValue: Optional(step()),
    funnelFromStep: Optional(step()),
    funnelToStep: Optional(step()),
    binCount: Optional(NumberType()),
    funnelAggregateByHogQL: Optional(StringType()),
    hideIncompleteConversionWindowPeriods: Optional(BooleanType()),
    customAggregationTarget,
  },
  looks,
);

/** A funnel, its nulls left out (contract/insights 6.1). */
export const funnelSchema = strict({
  kind: Literal('FunnelsQuery'),
  ...commonFields,
  series: ArrayType(eventsNode),
  funnelsFilter: Optional(funnelsFilter),
  breakdownFilter: Optional(breakdownFilter),
  compareFilter: Optional(strict({ compare: Optional(Unknown()), compare_to: Optional(Unknown()) })),
  customAggregationTarget,
  funnelPathsFilter,
});

export type FunnelExclusionNode = Static<typeof exclusion>;

export type FunnelsFilter = Static<typeof funnelsFilter>;

/** A definition that fits the schema. */
export type FunnelDefinition = Static<typeof funnelSchema>;
