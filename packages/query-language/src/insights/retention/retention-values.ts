import type { Expression } from '../../tree/expressions.ts';
import type { Statement } from '../../tree/statements.ts';
import { call, compare, constant, field } from '../nodes.ts';
import { expressionTemplate, template } from '../template.ts';
import type { RetentionActors } from './retention-actors.ts';
import type { RetentionPlan } from './retention-plan.ts';

/**
 * Rows `insight_value` (of a breakdown), `insight_row`, `insight_place`, `insight_count` and, where numbers are summed,
 * `insight_sum`: the actors of a row who count for a value and, where it is cumulative, for none after it. Values
 * without actors have no row, but for sums. Pure.
 */
export function retentionValues(plan: RetentionPlan, { statement: actors, lists }: RetentionActors): Statement {
  if (lists === 'sums') return valuesOfSums(plan, actors);
  return lists === 'moments' && plan.minimum > 1
    ? valuesOfBusyWindows(plan, actors)
    : valuesOfLists(plan, actors, lists);
}

const valueOf = ({ breakdown }: RetentionPlan): Expression[] =>
  breakdown === undefined ? [] : [field('insight_value')];

/** Values of an actor's row are computed from its list. */
function valuesOfLists(plan: RetentionPlan, actors: Statement, lists: 'intervals' | 'moments'): Statement {
  const starts = field('insight_start');
  return template(byLists, {
    actors,
    value: valueOf(plan),
    row: lists === 'moments' ? expressionTemplate('insight_start.1') : starts,
    distances: lists === 'moments' ? call('arrayDistinct', windowsOf(plan)) : distances,
    places: placesOf(plan),
  });
}

const distances = expressionTemplate(
  'arrayFilter(distance -> distance > 0, arrayMap(bucket -> bucket - insight_start, insight_returns))',
);

/**
 * Windows after the first start event of the row in which returning events lie, those alone that begin a period of the
 * range.
 */
const windowsOf = ({ windowSeconds = 0, rows }: RetentionPlan): Expression =>
  expressionTemplate(
    `arrayFilter(
      distance -> distance > 0 AND distance < {rows} - insight_start.1,
      arrayMap(micros -> intDiv(micros - insight_start.2, {width}), insight_returns))`,
    { rows: constant(rows), width: constant(windowSeconds * 1_000_000) },
  );

const byLists = `
  SELECT {value}, insight_row, insight_place, count() AS insight_count
  FROM (
    SELECT {value}, insight_row, arrayJoin({places}) AS insight_place
    FROM (
      SELECT {value}, {row} AS insight_row, {distances} AS insight_distances
      FROM (SELECT {value}, arrayJoin(insight_starts) AS insight_start, insight_returns FROM {actors})
    )
  )
  GROUP BY {value}, insight_row, insight_place`;

function placesOf({ brackets, cumulative, values }: RetentionPlan): Expression {
  const last = constant(values - 1);
  const places =
    brackets === undefined
      ? field('insight_distances')
      : expressionTemplate('arrayDistinct(arrayMap(distance -> {place}, insight_distances))', {
          place: placeOf(brackets, field('distance')),
        });
  if (cumulative) return expressionTemplate('[least(arrayMax({places}), {last})]', { places, last });
  return expressionTemplate(
    brackets === undefined
      ? 'arrayPushFront(arrayFilter(place -> place <= {last}, {places}), 0)'
      : 'arrayPushFront(arrayFilter(place -> place > 0, {places}), 0)',
    { places, last },
  );
}

/** Place of the value that holds a distance of at least 1; 0: none. */
function placeOf(brackets: readonly number[] | undefined, distance: Expression): Expression {
  if (brackets === undefined) return distance;
  let end = 0;
  const cases = brackets.flatMap((length, index) => [
    compare(distance, '<=', constant((end += length))),
    constant(index + 1),
  ]);
  return call('multiIf', ...cases, constant(0));
}

/** Returning events of a window are counted, so that each is a row first. */
function valuesOfBusyWindows(plan: RetentionPlan, actors: Statement): Statement {
  const { brackets, minimum, values } = plan;
  const value = valueOf(plan);
  const place = placeOf(brackets, field('insight_distance'));
  const isShown = brackets === undefined ? 'insight_distance < {values}' : 'insight_distance = 0 OR {place} > 0';
  return template(byWindows, {
    actors,
    value,
    keys: [field('insight_actor'), ...value],
    windows: windowsOf(plan),
    minimum: constant(minimum),
    place: expressionTemplate('if(insight_distance = 0, 0, {place})', { place }),
    isShown: expressionTemplate(isShown, { values: constant(values), place }),
  });
}

const byWindows = `
  SELECT {value}, insight_row, insight_place, count() AS insight_count
  FROM (
    SELECT {keys}, insight_row, {place} AS insight_place
    FROM (
      SELECT {keys}, insight_row, insight_distance
      FROM (
        SELECT {keys}, insight_start.1 AS insight_row, arrayJoin(arrayPushFront({windows}, 0)) AS insight_distance
        FROM (SELECT {keys}, arrayJoin(insight_starts) AS insight_start, insight_returns FROM {actors})
      )
      GROUP BY {keys}, insight_row, insight_distance HAVING insight_distance = 0 OR count() >= {minimum}
    )
    WHERE {isShown} GROUP BY {keys}, insight_row, insight_place
  )
  GROUP BY {value}, insight_row, insight_place`;

/** Each interval with returning events is a row first: its sum counts if the actor counts for the value. */
function valuesOfSums(plan: RetentionPlan, actors: Statement): Statement {
  const { brackets, cumulative, values } = plan;
  const value = valueOf(plan);
  const keys = [field('insight_actor'), ...value];
  const last = constant(values - 1);
  const items = template(itemsOfActors, { actors, keys });
  const ends =
    brackets === undefined ? items : template(itemsOfBrackets, { items, keys, bracket: bracketOf(brackets) });
  if (!cumulative) return template(ownSums, { ends, value, last });
  return template(cumulativeSums, { ends, value, last, farthest: farthestOf(keys) });
}

// An item of no interval is that of the start events. Rows are filtered behind it: functions of lists of tuples would
// take smaller blocks.
const itemsOfActors = `
  SELECT {keys}, insight_row, insight_end, insight_is_enough, insight_amount
  FROM (
    SELECT {keys}, insight_start.1 AS insight_row, insight_item.1 < 0 AS insight_is_start,
      if(insight_is_start, 0, insight_item.1 - insight_start.1) AS insight_end, insight_item.2 AS insight_is_enough,
      if(insight_is_start, insight_start.2, insight_item.3) AS insight_amount
    FROM (
      SELECT {keys}, insight_start, arrayJoin(arrayPushFront(insight_returns, tuple(-1, true, 0))) AS insight_item
      FROM (SELECT {keys}, arrayJoin(insight_starts) AS insight_start, insight_returns FROM {actors})
    )
  )
  WHERE insight_is_start OR insight_end > 0`;

const itemsOfBrackets = `
  SELECT {keys}, insight_row, insight_bracket AS insight_end, max(insight_is_enough) AS insight_is_enough,
    sum(insight_amount) AS insight_amount
  FROM (SELECT {keys}, insight_row, {bracket} AS insight_bracket, insight_is_enough, insight_amount FROM {items})
  WHERE insight_bracket >= 0 GROUP BY {keys}, insight_row, insight_bracket`;

/** Bracket of an item: 0 of the start events, -1 of none. */
const bracketOf = (brackets: readonly number[]): Expression =>
  expressionTemplate('multiIf(insight_end = 0, 0, {place} = 0, -1, {place})', {
    place: placeOf(brackets, field('insight_end')),
  });

const ownSums = `
  SELECT {value}, insight_row, insight_end AS insight_place, countIf(insight_is_enough) AS insight_count,
    sumIf(insight_amount, insight_is_enough) AS insight_sum
  FROM {ends} WHERE insight_end <= {last} GROUP BY {value}, insight_row, insight_place`;

const farthestOf = (keys: readonly Expression[]): Expression =>
  expressionTemplate('max(if(insight_is_enough, insight_end, 0)) OVER (PARTITION BY {keys}, insight_row)', { keys });

// Actors who came back after the last value count for all values.
const cumulativeSums = `
  SELECT {value}, insight_row, least(insight_end, {last}) AS insight_place, countIf(insight_end = insight_farthest) AS insight_count,
    sumIf(insight_amount, insight_end <= least(insight_farthest, {last})) AS insight_sum
  FROM (SELECT {value}, insight_row, insight_end, insight_amount, {farthest} AS insight_farthest FROM {ends})
  GROUP BY {value}, insight_row, insight_place`;
