import type {
  FunnelAttribution,
  FunnelBreakdown,
  FunnelExclusion,
  FunnelPlan,
  FunnelResult,
  FunnelStep,
} from '@millrace/query-language/insights/funnels/funnel-plan.ts';
import { differentOverlapsMax, mostDifferent } from '@millrace/query-language/insights/funnels/overlapping-steps.ts';
import { eventField } from '@millrace/query-language/insights/nodes.ts';
import { onQuery } from '../../definition/variables.ts';
import { readSpan, type DateSpan } from '../dates/date-span.ts';
import { readBreakdown } from '../definition/read-breakdown.ts';
import { readConditions, readNodeConditions } from '../definition/read-conditions.ts';
import { readExpression } from '../definition/read-expression.ts';
import type { EventsNode } from '../definition/schema-parts.ts';
import { breakdownValuesMax } from '../insight-limits.ts';
import type { InsightContext } from '../insight-kind.ts';
import { checkFunnel } from './check-funnel.ts';
import type { FunnelDefinition, FunnelsFilter } from './funnel-schema.ts';

/** A funnel that was read. */
export interface ReadFunnel {
  plan: FunnelPlan;
  span: DateSpan;
}

const unitSeconds = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 7 * 86_400, month: 31 * 86_400 };

/** @throws {AppError} 400 on `query`: what no schema says (contract/insights 6.1) */
export function readFunnel(definition: FunnelDefinition, context: InsightContext): ReadFunnel {
  checkFunnel(definition);
  const { funnelsFilter = {}, series, dateRange, interval = 'day' } = definition;
  const { funnelWindowInterval = 14, funnelWindowIntervalUnit = 'day', funnelOrderType = 'ordered' } = funnelsFilter;
  const steps = series.map((node, at) => readStep(node, context, `query.series.${at}`));
  if (funnelOrderType === 'unordered' && mostDifferent(steps) > differentOverlapsMax)
    throw onQuery(
      `query.series: one event may be more than ${differentOverlapsMax} different steps of this unordered funnel. Name other events, or fewer steps.`,
    );
  const span = readSpan(dateRange, { unit: interval, now: context, earliest: context.earliest, rule: 'exact' });
  return {
    span,
    plan: {
      from: span.countsFrom,
      to: span.to,
      conditions: readConditions(definition, context),
      actor: readActor(definition),
      steps,
      exclusions: (funnelsFilter.exclusions ?? []).map((node, at): FunnelExclusion => ({
        event: node.event ?? null,
        conditions: readNodeConditions(node, context, `query.funnelsFilter.exclusions.${at}`),
        from: node.funnelFromStep,
        to: node.funnelToStep,
      })),
      order: funnelOrderType,
      windowSeconds: funnelWindowInterval * unitSeconds[funnelWindowIntervalUnit],
      breakdown: readValue(definition),
      result: readResult(definition),
    },
  };
}

function readStep(node: EventsNode, context: InsightContext, place: string): FunnelStep {
  const { event = null, math } = node;
  return {
    event,
    conditions: readNodeConditions(node, context, place),
    ...(math === 'first_time_for_user' && { first: 'named' }),
    ...(math === 'first_time_for_user_with_filters' && { first: 'matching' }),
  };
}

function readActor({ funnelsFilter = {}, aggregation_group_type_index: group }: FunnelDefinition): FunnelPlan['actor'] {
  const { funnelAggregateByHogQL: text } = funnelsFilter;
  if (text !== undefined)
    return { id: readExpression(text, 'query.funnelsFilter.funnelAggregateByHogQL'), sparse: true };
  if (group !== undefined) return { id: eventField(`$group_${group}`), sparse: true };
  return { id: eventField('person_id'), sparse: false };
}

function readValue(definition: FunnelDefinition): FunnelBreakdown | undefined {
  const breakdown = readBreakdown(definition, { max: 1 });
  const [value] = breakdown?.expressions ?? [];
  if (breakdown === undefined || value === undefined) return undefined;
  if (breakdown.bins[0] !== undefined)
    throw onQuery('query.breakdownFilter: histogram_bin_count is not available in funnels.');
  // Times have no values: an actor that walks once for each of them would be several.
  if (definition.funnelsFilter?.funnelVizType === 'time_to_convert') return undefined;
  return { value, attribution: attributionOf(definition.funnelsFilter ?? {}), valuesMax: breakdownValuesMax };
}

function attributionOf({
  breakdownAttributionType: type = 'first_touch',
  breakdownAttributionValue: step = 0,
}: FunnelsFilter): FunnelAttribution {
  return type === 'step' ? { step } : type;
}

function readResult({ funnelsFilter = {}, series, interval = 'day' }: FunnelDefinition): FunnelResult {
  const { funnelVizType = 'steps', funnelFromStep = 0, funnelToStep = series.length - 1, binCount } = funnelsFilter;
  const range = { from: funnelFromStep, to: funnelToStep };
  switch (funnelVizType) {
    case 'steps':
      return { kind: 'steps' };
    case 'trends':
      return { kind: 'trends', ...range, unit: interval };
    case 'time_to_convert':
      return {
        kind: 'times',
        ...range,
        bins: binCount === undefined ? undefined : Math.min(90, Math.max(1, Math.round(binCount))),
      };
  }
}
