import type { FilterGroup } from '../filters/query-filters.ts';
import type { Expression } from '../tree/expressions.ts';
import type { Statement } from '../tree/statements.ts';
import { eventsWhere } from './event-rows.ts';
import { intervalNumber, type IntervalsFrom } from './interval-number.ts';
import { all, call, compare, constant, eventField, unionAll } from './nodes.ts';
import { template } from './template.ts';

/** Actor that is counted: the person, the group of a type, or the value of an expression. */
export type StickyActor = { of: 'person' } | { of: 'group'; index: number } | { of: 'expression'; expr: Expression };

/** Events that an interval must have to count. */
export interface EventCriteria {
  operator: '>=' | '<=' | '==';
  value: number;
}

/** One series in one period (contract/insights 9). Moments are UTC texts, both inclusive. */
export interface StickinessPart {
  event: string | null;
  conditions: FilterGroup;
  actor: StickyActor;
  intervals: IntervalsFrom;
  from: string;
  to: string;
}

export interface StickinessPlan {
  parts: readonly StickinessPart[];
  /** Undefined: one event is enough. */
  criteria?: EventCriteria | undefined;
}

const countedIntervals = `
  SELECT {part} AS insight_part, insight_intervals, count() AS insight_actors FROM (
    SELECT {actor} AS insight_actor, uniqExact({interval}) AS insight_intervals
    FROM events WHERE {rows} GROUP BY insight_actor
  ) GROUP BY insight_intervals`;

const countedBusyIntervals = `
  SELECT {part} AS insight_part, insight_intervals, count() AS insight_actors FROM (
    SELECT insight_actor, count() AS insight_intervals FROM (
      SELECT {actor} AS insight_actor, {interval} AS insight_interval
      FROM events WHERE {rows} GROUP BY insight_actor, insight_interval HAVING {enough}
    ) GROUP BY insight_actor
  ) GROUP BY insight_intervals`;

/** Rows: place of the part in the plan, a number of intervals, and the actors who were active in so many. Pure. */
export const buildStickiness = ({ parts, criteria }: StickinessPlan): Statement =>
  unionAll(parts.map((part, at) => partOf(part, at, criteria)));

function partOf(part: StickinessPart, at: number, criteria: EventCriteria | undefined): Statement {
  const { event, conditions, from, to, intervals } = part;
  const actor = actorOf(part.actor);
  const parts = {
    part: constant(at),
    actor,
    interval: intervalNumber(intervals, eventField('timestamp')),
    rows: all(
      eventsWhere({ event, from, to, conditions }),
      ...(part.actor.of === 'group' ? [compare(actor, '!=', constant(''))] : []),
    ),
  };
  if (criteria === undefined) return template(countedIntervals, parts);
  const enough = compare(call('count'), criteria.operator, constant(criteria.value));
  return template(countedBusyIntervals, { ...parts, enough });
}

function actorOf(actor: StickyActor): Expression {
  if (actor.of === 'expression') return actor.expr;
  return eventField(actor.of === 'person' ? 'person_id' : `$group_${actor.index}`);
}
