import type { RetentionEvents, RetentionPlan } from '@millrace/query-language/insights/retention/retention-plan.ts';
import { asNumber, call, constant, eventField } from '@millrace/query-language/insights/nodes.ts';
import type { Expression } from '@millrace/query-language/tree/expressions.ts';
import type { DateSpan, IntervalUnit } from '../dates/date-span.ts';
import { readPeriods } from '../dates/retention-periods.ts';
import { readBreakdown } from '../definition/read-breakdown.ts';
import { readConditions, readNodeConditions } from '../definition/read-conditions.ts';
import { onQuery } from '../../definition/variables.ts';
import { breakdownValuesMax, refuseNumbers } from '../insight-limits.ts';
import type { InsightContext } from '../insight-kind.ts';
import { intervalsOf } from '../intervals-of.ts';
import type { RetentionDefinition, RetentionEntity, RetentionFilter, periods } from './retention-schema.ts';

type Period = (typeof periods)[number];

const units: Readonly<Record<Period, IntervalUnit & ('hour' | 'day' | 'week' | 'month')>> = {
  Hour: 'hour',
  Day: 'day',
  Week: 'week',
  Month: 'month',
};

// A window of a month is 31 days (contract/insights 7.3).
const windowSeconds: Readonly<Record<Period, number>> = {
  Hour: 3_600,
  Day: 86_400,
  Week: 7 * 86_400,
  Month: 31 * 86_400,
};

const types = {
  retention_recurring: 'recurring',
  retention_first_time: 'first_time',
  retention_first_ever_occurrence: 'first_ever',
} as const;

/** Plan and range of a definition at a moment. Pure. @throws {AppError} 400 on `query` */
export function readRetention(
  definition: RetentionDefinition,
  context: InsightContext,
): { plan: RetentionPlan; span: DateSpan } {
  const { retentionFilter: filter, dateRange, aggregation_group_type_index: groupTypeIndex = null } = definition;
  refuseCombinations(filter);
  const { period = 'Day', totalIntervals = 8, retentionType = 'retention_recurring' } = filter;
  const brackets = bracketsOf(filter);
  const { earliest } = context;
  const span = readPeriods(dateRange, { period: units[period], totalIntervals, now: context, earliest });
  const plan: RetentionPlan = {
    start: readEntity(filter.targetEntity, context, 'targetEntity'),
    returning: readEntity(filter.returningEntity, context, 'returningEntity'),
    conditions: readConditions(definition, context),
    intervals: intervalsOf(span),
    rows: span.starts.length,
    values: brackets === undefined ? totalIntervals : brackets.length + 1,
    to: span.to,
    type: types[retentionType],
    groupTypeIndex,
    minimum: filter.minimumOccurrences ?? 1,
    cumulative: filter.cumulative ?? false,
    brackets,
    windowSeconds: hasWindows(filter) ? windowSeconds[period] : undefined,
    summed: readSummed(filter),
    breakdown: readValue(definition),
    breakdownValuesMax,
  };
  refuseNumbers(plan.rows, plan.values);
  return { plan, span };
}

/** Lengths of the values; undefined: no brackets are given. Pure. */
export const bracketsOf = ({
  retentionCustomBrackets: brackets = [],
}: RetentionFilter): readonly number[] | undefined => (brackets.length === 0 ? undefined : brackets);

const hasWindows = ({ timeWindowMode }: RetentionFilter): boolean => timeWindowMode === '24_hour_windows';

const isSummed = ({ aggregationType = 'count' }: RetentionFilter): boolean => aggregationType !== 'count';

function refuseCombinations(filter: RetentionFilter): void {
  if (!hasWindows(filter)) return;
  const other = filter.cumulative === true ? 'cumulative' : isSummed(filter) ? 'aggregationType' : undefined;
  if (other !== undefined)
    throw onQuery(
      `query.retentionFilter.${other} does not go with timeWindowMode 24_hour_windows. Write strict_calendar_dates.`,
    );
}

function readEntity(
  { id, type = 'events', properties }: RetentionEntity = { id: '$pageview' },
  context: InsightContext,
  name: 'targetEntity' | 'returningEntity',
): RetentionEvents {
  const place = `query.retentionFilter.${name}`;
  if (type !== 'events')
    throw onQuery(
      `${place}.type is ${JSON.stringify(type.slice(0, 100))}: only events can start and return. Actions do not exist here: write the event and filters that the action stands for.`,
    );
  return { event: id ?? null, conditions: readNodeConditions({ properties }, context, place) };
}

function readValue(definition: RetentionDefinition): RetentionPlan['breakdown'] {
  const { expressions: [expression] = [], bins: [bins] = [] } = readBreakdown(definition, { max: 1 }) ?? {};
  return expression && { expression, bins };
}

function readSummed(filter: RetentionFilter): Expression | undefined {
  if (!isSummed(filter)) return undefined;
  const { aggregationProperty: name, aggregationPropertyType: of = 'event' } = filter;
  if (name === undefined || name === '')
    throw onQuery(
      `query.retentionFilter.aggregationProperty is missing: aggregationType ${String(filter.aggregationType)} needs the property that is summed.`,
    );
  const number = asNumber(of === 'event' ? eventField('properties', name) : eventField('person', 'properties', name));
  // A text such as `inf` is no number in JSON.
  return call('if', call('isFinite', number), number, constant(null));
}
