import type { Expression, WindowFunction } from '../../tree/expressions.ts';
import type { OrderExpr, Statement } from '../../tree/statements.ts';
import { eventsWhere } from '../event-rows.ts';
import { alias, any, call, constant, eventField, isNull, unionAll } from '../nodes.ts';
import { expressionTemplate, template } from '../template.ts';
import { activePoints } from './active-points.ts';
import { firstPoints } from './first-points.ts';
import { histogramValue } from '../histogram-value.ts';
import { differentActors, intervalPoints } from './interval-points.ts';
import { eventsByActorPoints, firstSeenPoints, sessionPoints } from './nested-points.ts';
import { finiteNumber, overNumbers } from '../number-math.ts';
import { valueKeys, type SeriesParts } from './series-parts.ts';
import type { TrendsPlan, TrendsSeries } from './trends-plan.ts';

/**
 * Statement of a TrendsQuery (contract/insights 5). Rows: `insight_part`, the index of the series; `insight_folded`, true where values beyond
 * `valuesMax` are one row; `insight_buckets` and `insight_numbers`, lists of the same length of the intervals that have a number; then
 * `insight_shown_0`… of the breakdown, without a meaning where folded. Without a breakdown a series is one row, with empty lists when it has no events. Pure.
 * @throws {SpanError} as `lowerFilters` does
 */
export function buildTrends(plan: TrendsPlan): Statement {
  return unionAll(plan.series.map((series, index) => seriesRows(series, index, plan)));
}

function seriesRows(series: TrendsSeries, index: number, plan: TrendsPlan): Statement {
  const points = seriesPoints(series, plan);
  const part = constant(index);
  const lists = plan.unit === 'total' ? totalLists : intervalLists;
  if (plan.values.length === 0) return template(lists.whole, { part, points, number: pointNumber });
  const keys = valueKeys(plan);
  const size = series.math.of === 'active' ? activeSize : pointNumber;
  const values = template(lists.ofValues, { points, keys, number: pointNumber, size });
  const ranked = template('SELECT *, {rank} AS insight_rank FROM {values}', { values, rank: rankOf(keys) });
  return template(lists.folded, {
    part,
    ranked,
    max: constant(plan.valuesMax),
    fold: foldedLists(constant(plan.valuesMax)),
    values: keys.map((key, index) => alias(call('any', key), `insight_shown_${index}`)),
  });
}

/** Statements that make lists of a series' points. `whole`: without a breakdown; `ofValues`, `folded`: of each value, and with the rest as one. */
const intervalLists = {
  whole: `SELECT {part} AS insight_part, false AS insight_folded, groupArray(insight_bucket) AS insight_buckets,
      groupArray({number}) AS insight_numbers
    FROM {points}`,
  ofValues: `SELECT {keys}, groupArray(insight_bucket) AS insight_starts, groupArray({number}) AS insight_figures,
      sum({size}) AS insight_size
    FROM {points} GROUP BY {keys}`,
  folded: `SELECT {part} AS insight_part, max(insight_rank) > {max} AS insight_folded,
      if(max(insight_rank) > {max}, tupleElement({fold}, 1), any(insight_starts)) AS insight_buckets,
      if(max(insight_rank) > {max}, tupleElement({fold}, 2), any(insight_figures)) AS insight_numbers, {values}
    FROM {ranked} GROUP BY least(insight_rank, {max} + 1)`,
};

/** Lists of the values beyond `max` as one. Those that stay apart are no work for it. */
const foldedLists = (max: Expression): Expression =>
  expressionTemplate('sumMapIf(insight_starts, insight_figures, insight_rank > {max})', { max });

/** The same where the range is one interval: a point is all that a value has. */
const totalLists: typeof intervalLists = {
  whole:
    'SELECT {part} AS insight_part, false AS insight_folded, [0] AS insight_buckets, [{number}] AS insight_numbers FROM {points}',
  ofValues: 'SELECT {keys}, {size} AS insight_size FROM {points}',
  folded: `SELECT {part} AS insight_part, max(insight_rank) > {max} AS insight_folded, [0] AS insight_buckets,
      [sum(insight_size)] AS insight_numbers, {values}
    FROM {ranked} GROUP BY least(insight_rank, {max} + 1)`,
};

/** Number of a point: an infinite one, or none, is 0. */
const pointNumber = expressionTemplate('toFloat(if(isFinite(insight_number), insight_number, 0))');

/** Slots that an active person's change covers, summed: `until - from`. */
const activeSize = expressionTemplate('0 - insight_bucket * insight_number');

/** Place of a value in its series: values with a NULL last, larger ones first, then by text. */
function rankOf(keys: readonly Expression[]): WindowFunction {
  const order: [expr: Expression, order: 'ASC' | 'DESC'][] = [
    [any(...keys.map(isNull)), 'ASC'],
    [expressionTemplate('insight_size'), 'DESC'],
    ...keys.map((key): [Expression, 'ASC'] => [key, 'ASC']),
  ];
  const order_by = order.map(([expr, direction]): OrderExpr => ({ node: 'OrderExpr', expr, order: direction, ...at }));
  return {
    node: 'WindowFunction',
    name: 'row_number',
    exprs: [],
    args: [],
    over_expr: { node: 'WindowExpr', order_by, ...at },
    ...at,
  };
}

const at = { start: 0, end: 0 } as const;

/**
 * The number of an expression, which is none of rows in `count()`. A list of such numbers counts with the most that a query could make,
 * and the engine would read blocks of one row.
 */
const readingRows = (number: Expression): Expression =>
  expressionTemplate('{number} + 0 * count(timestamp)', { number });

/** Rows `insight_bucket`, `insight_number` and the values: one for each interval, or slot of active persons, that has an event. */
function seriesPoints(series: TrendsSeries, { values, unit }: TrendsPlan): Statement {
  const { math } = series;
  const matching = eventsWhere(series);
  const rowValues = values.map((value, index) => histogramValue(value, matching, index));
  const parts: SeriesParts = {
    matching,
    unit,
    values: rowValues.map(({ value }) => value),
    withs: rowValues.flatMap(({ withs }) => withs),
  };
  switch (math.of) {
    case 'events':
      return intervalPoints(parts, call('count', eventField('timestamp')));
    case 'expression':
      return intervalPoints(parts, readingRows(math.expression));
    case 'numbers':
      return intervalPoints(parts, overNumbers(math.math, finiteNumber(math.number)));
    case 'actors':
      return math.once ? firstSeenPoints(parts, math.actor) : intervalPoints(parts, differentActors(math.actor));
    case 'active':
      return activePoints(parts, math.window);
    case 'firsts':
      return firstPoints(parts, series, math);
    case 'sessions':
      return sessionPoints(parts, math.math);
    case 'events by actor':
      return eventsByActorPoints(parts, math.math);
  }
}
