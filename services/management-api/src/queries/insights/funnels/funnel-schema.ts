import {
  Array as ArrayType,
  Boolean as BooleanType,
  Integer,
  Literal,
  Number as NumberType,
  Optional,
  String as StringType,
  Unknown,
} from 'typebox';
import { breakdownFilter, type BreakdownFilter } from '../definition/breakdown-schema.ts';
import {
  commonFields,
  customAggregationTarget,
  eventsNodeFields,
  funnelPathsFilter,
  looksOfFilters,
  mathFields,
  oneOf,
  strict,
  type EventsNode,
} from '../definition/schema-parts.ts';
import type { CommonDefinition } from '../insight-kind.ts';

const step = () => Integer({ minimum: 0, maximum: 19 });

const windowUnits = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const;

const nodeFields = { ...eventsNodeFields, math: Optional(StringType()), ...mathFields };

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
  series: ArrayType(strict(nodeFields)),
  funnelsFilter: Optional(funnelsFilter),
  breakdownFilter: Optional(breakdownFilter),
  compareFilter: Optional(strict({ compare: Optional(Unknown()), compare_to: Optional(Unknown()) })),
  customAggregationTarget,
  funnelPathsFilter,
});

export type FunnelNode = EventsNode;

export interface FunnelExclusionNode extends EventsNode {
  funnelFromStep: number;
  funnelToStep: number;
}

export interface FunnelsFilter {
  funnelVizType?: 'steps' | 'time_to_convert' | 'trends';
  funnelOrderType?: 'ordered' | 'strict' | 'unordered';
  funnelWindowInterval?: number;
  funnelWindowIntervalUnit?: (typeof windowUnits)[number];
  exclusions?: readonly FunnelExclusionNode[];
  breakdownAttributionType?: 'first_touch' | 'last_touch' | 'all_events' | 'step';
  breakdownAttributionValue?: number;
  funnelFromStep?: number;
  funnelToStep?: number;
  binCount?: number;
  funnelAggregateByHogQL?: string;
  hideIncompleteConversionWindowPeriods?: boolean;
}

/** A definition that fits the schema. */
export interface FunnelDefinition extends CommonDefinition {
  kind: 'FunnelsQuery';
  series: readonly FunnelNode[];
  interval?: 'minute' | 'hour' | 'day' | 'week' | 'month';
  properties?: unknown;
  filterTestAccounts?: boolean;
  aggregation_group_type_index?: number;
  funnelsFilter?: FunnelsFilter;
  breakdownFilter?: BreakdownFilter;
  compareFilter?: { compare?: unknown; compare_to?: unknown };
}
