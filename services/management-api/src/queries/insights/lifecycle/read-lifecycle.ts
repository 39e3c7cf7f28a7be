import type { LifecyclePlan } from '@millrace/query-language/insights/build-lifecycle.ts';
import { readSpan, type DateSpan } from '../dates/date-span.ts';
import { joined, readConditions, readNodeConditions } from '../definition/read-conditions.ts';
import type { InsightContext } from '../insight-kind.ts';
import { intervalsOf } from '../intervals-of.ts';
import type { LifecycleDefinition } from './lifecycle-schema.ts';

/** Plan and range of a definition at a moment. Pure. @throws {AppError} 400 on `query` */
export function readLifecycle(
  definition: LifecycleDefinition,
  context: InsightContext,
): { plan: LifecyclePlan; span: DateSpan } {
  const { series, dateRange, interval = 'day', aggregation_group_type_index: groupTypeIndex = null } = definition;
  const [node] = series;
  const { earliest } = context;
  const span = readSpan(dateRange, { unit: interval, now: context, earliest, rule: 'interval' });
  const plan = {
    event: node.event ?? null,
    conditions: joined([readConditions(definition, context), readNodeConditions(node, context, 'query.series.0')]),
    intervals: intervalsOf(span),
    to: span.to,
    groupTypeIndex,
  };
  return { plan, span };
}
