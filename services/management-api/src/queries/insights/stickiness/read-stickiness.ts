import type {
  EventCriteria,
  StickinessPart,
  StickinessPlan,
  StickyActor,
} from '@millrace/query-language/insights/build-stickiness.ts';
import { readSpan, type DateSpan } from '../dates/date-span.ts';
import { previousSpan } from '../dates/previous-span.ts';
import { joined, readConditions, readNodeConditions } from '../definition/read-conditions.ts';
import { readExpression } from '../definition/read-expression.ts';
import type { EventsNode } from '../definition/schema-parts.ts';
import { onQuery } from '../../definition/variables.ts';
import type { InsightContext } from '../insight-kind.ts';
import { intervalsOf } from '../intervals-of.ts';
import type { StickinessDefinition } from './stickiness-schema.ts';

/**
 * Plan and ranges of a definition at a moment: its parts are the series of the range, then those of the earlier one.
 * Pure.
 * @throws {AppError} 400 on `query`
 */
export function readStickiness(
  definition: StickinessDefinition,
  context: InsightContext,
): { plan: StickinessPlan; spans: { current: DateSpan; previous: DateSpan | undefined } } {
  const spans = readSpans(definition, context);
  const everywhere = readConditions(definition, context);
  const series = definition.series.map((node, at) => ({
    event: node.event ?? null,
    conditions: joined([everywhere, readNodeConditions(node, context, `query.series.${at}`)]),
    actor: readActor(node, `query.series.${at}`),
  }));
  const { current, previous } = spans;
  const parts = [current, ...(previous === undefined ? [] : [previous])].flatMap((span) =>
    series.map((part): StickinessPart => ({
      ...part,
      intervals: intervalsOf(span),
      from: span.countsFrom,
      to: span.to,
    })),
  );
  return { plan: { parts, criteria: readCriteria(definition) }, spans };
}

function readSpans(
  { dateRange, interval = 'day', compareFilter = {} }: StickinessDefinition,
  context: InsightContext,
): { current: DateSpan; previous: DateSpan | undefined } {
  const options = { unit: interval, now: context, earliest: context.earliest, rule: 'trends' } as const;
  const current = readSpan(dateRange, options);
  return {
    current,
    previous: compareFilter.compare === true ? previousSpan(current, dateRange, compareFilter, options) : undefined,
  };
}

// All other maths count persons (contract/insights 9.1).
function readActor({ math, math_group_type_index: index, math_hogql: text }: EventsNode, place: string): StickyActor {
  if (math === 'unique_group') {
    if (index === undefined)
      throw onQuery(`${place}.math_group_type_index is missing: math unique_group counts the groups of a type.`);
    return { of: 'group', index };
  }
  if (math !== 'hogql') return { of: 'person' };
  if (text === undefined)
    throw onQuery(`${place}.math_hogql is missing: math hogql counts the values of an expression.`);
  return { of: 'expression', expr: readExpression(text, `${place}.math_hogql`) };
}

const operators = { gte: '>=', lte: '<=', exact: '==' } as const;

function readCriteria({ stickinessFilter = {} }: StickinessDefinition): EventCriteria | undefined {
  const { stickinessCriteria: criteria } = stickinessFilter;
  return criteria && { operator: operators[criteria.operator], value: criteria.value };
}
