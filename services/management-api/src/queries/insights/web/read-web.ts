import type { WebPlan } from '@millrace/query-language/insights/build-web.ts';
import { onQuery } from '../../definition/variables.ts';
import { readSpan } from '../dates/date-span.ts';
import { previousSpan } from '../dates/previous-span.ts';
import { readConditions } from '../definition/read-conditions.ts';
import type { InsightContext, InsightQuery } from '../insight-kind.ts';
import type { WebDefinition } from './web-schema.ts';

/** Plan of a definition at this moment, and its ranges. `compare_to` alone switches the comparison on. @throws {AppError} 400 on `query` */
export function readWeb(
  definition: WebDefinition,
  context: InsightContext,
): { plan: WebPlan; spans: InsightQuery['spans'] } {
  const { dateRange, compareFilter: compare = {}, conversionGoal: goal } = definition;
  if (goal !== undefined && goal.customEventName === undefined)
    throw onQuery(
      goal.actionId === undefined
        ? 'query.conversionGoal needs customEventName.'
        : 'query.conversionGoal.actionId: actions do not exist here. Write {"customEventName": "signed up"}.',
    );
  const options = { unit: 'day', now: context, earliest: context.earliest, rule: 'midnight' } as const;
  const current = readSpan(dateRange, options);
  const isCompared = compare.compare === true || compare.compare_to !== undefined;
  const previous = isCompared ? previousSpan(current, dateRange, compare, options) : undefined;
  const bounds = [current, ...(previous ? [previous] : [])].map(({ countsFrom, to }) => ({ from: countsFrom, to }));
  return {
    plan: { conditions: readConditions(definition, context), spans: bounds, goal: goal?.customEventName },
    spans: { current, previous },
  };
}
