import { isDeepStrictEqual } from 'node:util';
import { onQuery } from '../../definition/variables.ts';
import type { EventsNode } from '../definition/schema-parts.ts';
import type { FunnelDefinition, FunnelExclusionNode } from './funnel-schema.ts';

const stepsMax = 20;

const place = 'query.funnelsFilter';

/** Checks of a funnel that no schema makes (contract/insights 6.1). Pure. @throws {AppError} 400 on `query`, which names the field */
export function checkFunnel(definition: FunnelDefinition): void {
  const { series, funnelsFilter = {}, compareFilter = {} } = definition;
  const { exclusions = [] } = funnelsFilter;
  if (series.length < 2) throw onQuery('query.series: a funnel needs at least two steps.');
  if (series.length > stepsMax) throw onQuery(`query.series: a funnel has at most ${stepsMax} steps.`);
  for (const [at, node] of series.entries()) checkMath(node, `query.series.${at}`, stepMaths);
  for (const [at, node] of exclusions.entries()) checkExclusion(definition, node, `${place}.exclusions.${at}`);
  checkRange(definition);
  checkAttribution(definition);
  if (compareFilter.compare === true || compareFilter.compare_to !== undefined)
    throw onQuery('query.compareFilter: funnels cannot be compared yet.');
}

const stepMaths = ['total', 'first_time_for_user', 'first_time_for_user_with_filters'];

function checkMath({ math = 'total' }: EventsNode, at: string, known: readonly string[]): void {
  if (!known.includes(math))
    throw onQuery(`${at}.math is ${JSON.stringify(math.slice(0, 100))}. A funnel knows ${known.join(', ')}.`);
}

function checkExclusion({ series, funnelsFilter = {} }: FunnelDefinition, node: FunnelExclusionNode, at: string): void {
  const { funnelFromStep: from, funnelToStep: to } = node;
  const last = series.length - 1;
  checkMath(node, at, ['total']);
  if (from >= to) throw onQuery(`${at}.funnelFromStep must be less than funnelToStep.`);
  if (to > last) throw onQuery(`${at}.funnelToStep is ${to}. The last step is ${last}.`);
  if (series.some((step) => isSameEvent(step, node))) throw onQuery(`${at} is one of the steps.`);
  if (funnelsFilter.funnelOrderType === 'unordered' && (from !== 0 || to !== last))
    throw onQuery(`${at}: an exclusion of an unordered funnel spans all steps, from 0 to ${last}.`);
}

function isSameEvent(step: EventsNode, exclusion: EventsNode): boolean {
  const filtersOf = ({ properties = [], fixedProperties = [] }: EventsNode): unknown => [properties, fixedProperties];
  return step.event === exclusion.event && isDeepStrictEqual(filtersOf(step), filtersOf(exclusion));
}

function checkRange({ series, funnelsFilter = {} }: FunnelDefinition): void {
  const last = series.length - 1;
  const { funnelFromStep: from = 0, funnelToStep: to = last } = funnelsFilter;
  if (to > last) throw onQuery(`${place}.funnelToStep is ${to}. The last step is ${last}.`);
  if (from >= to) throw onQuery(`${place}.funnelFromStep must be less than funnelToStep.`);
}

function checkAttribution({ series, funnelsFilter = {} }: FunnelDefinition): void {
  const { breakdownAttributionType: type, breakdownAttributionValue: step = 0, funnelOrderType } = funnelsFilter;
  if (type !== 'step') return;
  const last = funnelOrderType === 'unordered' ? 0 : series.length - 1;
  if (step > last)
    throw onQuery(`${place}.breakdownAttributionValue is ${step}. It can be ${last === 0 ? 0 : `0 to ${last}`} here.`);
}
