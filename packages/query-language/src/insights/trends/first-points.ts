import { lowerFilters } from '../../filters/lower-filters.ts';
import type { FilterGroup } from '../../filters/query-filters.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { Statement } from '../../tree/statements.ts';
import { eventsWhere } from '../event-rows.ts';
import { call, constant, eventField, field, moment, tuple } from '../nodes.ts';
import { template } from '../template.ts';
import { actorOf } from './interval-points.ts';
import { bucketOf, overEvents, pointKeys, valueKeys, type SeriesParts } from './series-parts.ts';
import type { TrendsSeries } from './trends-plan.ts';

/**
 * Points of persons in the interval of their first event ever, up to the end of the range. `matching`: of their first event that passes the
 * conditions; else their first event of the name, which must pass them. Of several events at one moment, those that pass go before, then the least value.
 */
export function firstPoints(
  parts: SeriesParts,
  { event, conditions, from, to }: TrendsSeries,
  { matching }: { matching: boolean },
): Statement {
  const { values, unit } = parts;
  const passes = matching || conditions.members.length === 0 ? undefined : conditionsOf(conditions);
  const rows = { event, to, conditions: matching ? conditions : { all: true, members: [] } };
  const firsts = overEvents(
    `SELECT {values}, {actor} AS insight_actor, min(timestamp) AS insight_first, {passed} AS insight_passed
    FROM events WHERE {matching} GROUP BY insight_actor
    HAVING insight_first >= {since} AND insight_first = insight_passed`,
    {
      ...parts,
      matching: eventsWhere(rows),
      values: values.map((value) => call('tupleElement', firstOf(value, values, passes), constant(1))),
    },
    {
      actor: actorOf('person'),
      since: moment(from),
      passed:
        passes === undefined
          ? call('min', eventField('timestamp'))
          : call('minIfOrNull', eventField('timestamp'), passes),
    },
  );
  return template(
    'SELECT {valueKeys}, {bucket}, count(insight_first) AS insight_number FROM {firsts} GROUP BY {pointKeys}',
    {
      firsts,
      valueKeys: valueKeys(parts),
      pointKeys: pointKeys(parts),
      bucket: bucketOf(field('insight_first'), unit),
    },
  );
}

const conditionsOf = (conditions: FilterGroup): Expression =>
  lowerFilters({ from: undefined, to: undefined, conditions }, ['events'], { start: 0, end: 0 });

/** A list of one value, that of the first event: an aggregate leaves out what is NULL, but no list. */
function firstOf(value: Expression, values: readonly Expression[], passes: Expression | undefined): Expression {
  const order = tuple([eventField('timestamp'), ...values.map((expr) => call('ifNull', expr, constant('')))]);
  return passes === undefined ? call('argMin', tuple([value]), order) : call('argMinIf', tuple([value]), order, passes);
}
