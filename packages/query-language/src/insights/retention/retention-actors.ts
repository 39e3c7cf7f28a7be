import { lowerFilters } from '../../filters/lower-filters.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { Statement } from '../../tree/statements.ts';
import { eventsWhere } from '../event-rows.ts';
import { intervalNumber } from '../interval-number.ts';
import { alias, all, any, call, compare, constant, eventField, field, moment } from '../nodes.ts';
import { expressionTemplate, template, type TemplateParts } from '../template.ts';
import { histogramValue } from '../histogram-value.ts';
import type { RetentionPlan } from './retention-plan.ts';

/**
 * One row an actor, with lists: `insight_starts`, a row of the actor each, and `insight_returns`, in which intervals or
 * when it came back.
 */
export interface RetentionActors {
  statement: Statement;
  /**
   * `intervals`: numbers of the rows, and of the intervals with enough returning events. `sums`: tuples of the row and
   * the sum of its start events, and of the interval, whether its returning events are enough, and their sum.
   * `moments`: tuples of the row and the microseconds of its first start event, and the microseconds of each returning
   * event.
   */
  lists: 'intervals' | 'sums' | 'moments';
}

/** Conditions on rows of events. */
interface Roles {
  isStart: Expression;
  isReturn: Expression;
  /** Events whose first one ever must be a start event. */
  isNamed: Expression | undefined;
}

/** Actors who have a row in the range. Pure. */
export function retentionActors(plan: RetentionPlan): RetentionActors {
  const roles = rolesOf(plan);
  const lists = plan.windowSeconds !== undefined ? 'moments' : plan.summed !== undefined ? 'sums' : 'intervals';
  const isPlain = lists === 'intervals' && plan.minimum === 1;
  return { statement: isPlain ? actorsAtOnce(plan, roles) : actorsByIntervals(plan, roles, lists), lists };
}

function rolesOf({ start, returning, type, intervals }: RetentionPlan): Roles {
  const isReturn = eventsWhere(returning);
  return {
    isStart: eventsWhere(start),
    // Events before the range are read for the first one alone.
    isReturn: type === 'recurring' ? isReturn : all(isReturn, since(intervals.start)),
    isNamed: type === 'first_ever' ? eventsWhere({ ...start, conditions: { all: true, members: [] } }) : undefined,
  };
}

const since = (start: string): Expression => compare(eventField('timestamp'), '>=', moment(start));

/** Lists of distinct intervals, in one pass over the events. */
function actorsAtOnce(plan: RetentionPlan, roles: Roles): Statement {
  const { isStart, isReturn, isNamed } = roles;
  const interval = intervalOf(plan);
  const first = call('minIfOrNull', eventField('timestamp'), isStart);
  // With one kind of events every row has both roles.
  const listOf = (role: Expression): Expression =>
    isOfOneKind(plan) ? call('groupUniqArray', interval) : call('groupUniqArrayIf', interval, role);
  const returns = listOf(isReturn);
  if (plan.type === 'recurring') return overActors(recurringAtOnce, plan, roles, { returns, starts: listOf(isStart) });
  return overActors(firstsAtOnce, plan, roles, {
    returns,
    first: intervalNumber(plan.intervals, call('assumeNotNull', first)),
    inRange: firstInRange(plan, first, isNamed && call('minIfOrNull', eventField('timestamp'), isNamed)),
  });
}

const recurringAtOnce = `
  SELECT {actor}, {value}, {starts} AS insight_starts, {returns} AS insight_returns
  FROM events WHERE {rows} GROUP BY {keys} HAVING notEmpty(insight_starts)`;

const firstsAtOnce = `
  SELECT {actor}, {value}, [{first}] AS insight_starts, {returns} AS insight_returns
  FROM events WHERE {rows} GROUP BY {keys} HAVING {inRange}`;

/** The same of one row for each interval of an actor, which has the figures of that interval. */
function actorsByIntervals(plan: RetentionPlan, roles: Roles, lists: RetentionActors['lists']): Statement {
  const isRecurring = plan.type === 'recurring';
  const interval = intervalOf(plan);
  const intervals = overActors(byIntervals, plan, roles, {
    // All intervals before the range are one.
    interval: isRecurring ? interval : call('greatest', interval, constant(-1)),
    figures: figuresOf(plan, roles),
  });
  const start = startOf[lists];
  return template(byActors, {
    keys: keysOf(plan),
    intervals,
    starts: isRecurring
      ? expressionTemplate('groupArrayIf({start}, insight_start_count > 0)', { start })
      : expressionTemplate('[argMinIf({start}, insight_first, insight_start_count > 0)]', { start }),
    returns: returnsOf[lists](constant(plan.minimum)),
    inRange: isRecurring
      ? expressionTemplate('notEmpty(insight_starts)')
      : firstInRange(plan, call('min', field('insight_first')), roles.isNamed && call('min', field('insight_named'))),
  });
}

const byIntervals = `
  SELECT {actor}, {value}, {interval} AS insight_interval, {figures}
  FROM events WHERE {rows} GROUP BY {keys}, insight_interval`;

const byActors = `
  SELECT {keys}, {starts} AS insight_starts, {returns} AS insight_returns
  FROM {intervals} GROUP BY {keys} HAVING {inRange}`;

function figuresOf({ summed, windowSeconds }: RetentionPlan, { isStart, isReturn, isNamed }: Roles): Expression[] {
  const timestamp = eventField('timestamp');
  const first = (role: Expression): Expression => call('minIfOrNull', timestamp, role);
  const sumOf = (number: Expression, role: Expression): Expression =>
    call('ifNull', call('sumIf', number, role), constant(0));
  const figures: Readonly<Record<string, Expression | undefined>> = {
    insight_start_count: call('countIf', isStart),
    insight_return_count: call('countIf', isReturn),
    insight_first: first(isStart),
    insight_named: isNamed && first(isNamed),
    insight_start_sum: summed && sumOf(summed, isStart),
    insight_return_sum: summed && sumOf(summed, isReturn),
    insight_moments:
      windowSeconds === undefined
        ? undefined
        : call('groupArrayIf', call('toUnixTimestamp64Micro', timestamp), isReturn),
  };
  return Object.entries(figures).flatMap(([name, figure]) => (figure === undefined ? [] : [alias(figure, name)]));
}

const startOf: Readonly<Record<RetentionActors['lists'], Expression>> = {
  intervals: field('insight_interval'),
  sums: expressionTemplate('tuple(insight_interval, insight_start_sum)'),
  moments: expressionTemplate('tuple(insight_interval, toUnixTimestamp64Micro(assumeNotNull(insight_first)))'),
};

const returnsOf: Readonly<Record<RetentionActors['lists'], (minimum: Expression) => Expression>> = {
  intervals: (minimum) =>
    expressionTemplate('groupArrayIf(insight_interval, insight_return_count >= {minimum})', { minimum }),
  sums: (minimum) =>
    expressionTemplate(
      `groupArrayIf(
        tuple(insight_interval, insight_return_count >= {minimum}, insight_return_sum), insight_return_count > 0)`,
      { minimum },
    ),
  moments: () => expressionTemplate('groupArrayArray(insight_moments)'),
};

const intervalOf = ({ intervals }: RetentionPlan): Expression => intervalNumber(intervals, eventField('timestamp'));

/** Does the first start event ever lie in the range, and is it the first of its name? */
function firstInRange({ intervals }: RetentionPlan, first: Expression, named: Expression | undefined): Expression {
  const inRange = compare(first, '>=', moment(intervals.start));
  return named === undefined ? inRange : all(inRange, compare(first, '==', named));
}

/** A SELECT over rows of events by a template with `{rows}`, `{actor}`, `{value}`, `{keys}` and other parts. */
function overActors(text: string, plan: RetentionPlan, roles: Roles, more: TemplateParts): Statement {
  const rows = rowsWhere(plan, roles);
  const breakdown = plan.breakdown && histogramValue(plan.breakdown, rows, 0);
  const statement = template(text, {
    rows,
    actor: alias(actorOf(plan.groupTypeIndex), 'insight_actor'),
    value: breakdown === undefined ? [] : [alias(breakdown.value, 'insight_value')],
    keys: keysOf(plan),
    ...more,
  });
  const withs = breakdown?.withs ?? [];
  return withs.length === 0 ? statement : ({ ...statement, ctes: [...withs] } as Statement);
}

const keysOf = ({ breakdown }: RetentionPlan): Expression[] => [
  field('insight_actor'),
  ...(breakdown === undefined ? [] : [field('insight_value')]),
];

const actorOf = (groupTypeIndex: number | null): Expression =>
  eventField(groupTypeIndex === null ? 'person_id' : `$group_${groupTypeIndex}`);

function rowsWhere(plan: RetentionPlan, { isStart, isReturn, isNamed }: Roles): Expression {
  const { type, intervals, to, conditions, groupTypeIndex } = plan;
  const from = type === 'recurring' ? intervals.start : undefined;
  return all(
    lowerFilters({ from, to, conditions }, ['events'], { start: 0, end: 0 }),
    ...(groupTypeIndex === null ? [] : [compare(actorOf(groupTypeIndex), '!=', constant(''))]),
    isOfOneKind(plan) ? isStart : any(isNamed ?? isStart, isReturn),
  );
}

/** Is each event that is read both a start and a return? */
const isOfOneKind = ({ type, start, returning }: RetentionPlan): boolean =>
  type === 'recurring' && JSON.stringify(start) === JSON.stringify(returning);
