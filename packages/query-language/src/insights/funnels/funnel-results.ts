import type { Expression } from '../../tree/expressions.ts';
import type { Statement } from '../../tree/statements.ts';
import { alias, constant, field, tuple } from '../nodes.ts';
import { expressionTemplate, template } from '../template.ts';
import type { FunnelBreakdown, FunnelPlan, FunnelResult } from './funnel-plan.ts';
import type { Layers } from './layers.ts';

// Results of walked actors. Columns are named by their place: `count_0`, `took_1`.

/** Time at which an actor's way got to a step, of the columns that are there. */
type TimeOf = (step: number) => Expression;

/** Counts of the steps, and the times between them. */
export function stepsStatement({ steps, breakdown }: FunnelPlan, layers: Layers, timeOf: TimeOf): Statement {
  const all = [...steps.keys()];
  const later = all.slice(1);
  const each = (places: readonly number[], name: string, text: string): Expression[] =>
    places.map((place) =>
      alias(
        expressionTemplate(text, {
          place: constant(place),
          count: field(`count_${place}`),
          took: field(`took_${place}`),
        }),
        `${name}_${place}`,
      ),
    );
  layers.add({
    ...Object.fromEntries(
      later.map((place) => [
        `took_${place}`,
        expressionTemplate('if(depth > {place}, {at} - {before}, 0)', {
          place: constant(place),
          at: timeOf(place),
          before: timeOf(place - 1),
        }),
      ]),
    ),
  });
  const counts = each(all, 'count', 'countIf(depth > {place})');
  const columns = ['depth', ...later.map((place) => `took_${place}`)];
  if (breakdown === undefined)
    return template('SELECT {columns} FROM {rows} WHERE depth != 0', {
      columns: [
        ...counts,
        ...each(later, 'mean', 'avgIf({took}, {took} != 0)'),
        ...each(later, 'median', 'quantileExactInclusiveIf(0.5)({took}, {took} != 0)'),
      ],
      rows: layers.select(columns),
    });
  const byValue = template('SELECT value, {columns} FROM {rows} WHERE depth != 0 GROUP BY value', {
    columns: [...counts, ...each(later, 'took', 'groupArrayIf({took}, {took} != 0)')],
    rows: layers.select(['value', ...columns]),
  });
  const ranked = template(
    'SELECT value, {columns}, row_number() OVER (ORDER BY {counts} DESC, value ASC) AS place FROM {rows}',
    {
      columns: [...all.map((place) => field(`count_${place}`)), ...later.map((place) => field(`took_${place}`))],
      counts: tuple([...all].reverse().map((place) => field(`count_${place}`))),
      rows: byValue,
    },
  );
  return template('SELECT {shown}, {columns} FROM {rows} GROUP BY shown, is_other', {
    shown: shown(breakdown),
    columns: [
      ...each(all, 'sum', 'sum({count})'),
      ...each(later, 'mean', 'avgArray({took})'),
      ...each(later, 'median', 'quantileExactInclusiveArray(0.5)({took})'),
    ],
    rows: ranked,
  });
}

/** Entries and conversions of each interval. */
export function trendsStatement({ breakdown }: FunnelPlan, layers: Layers): Statement {
  const value = breakdown === undefined ? [] : ['value'];
  const byInterval = template(
    `SELECT {value}, bucket, count() AS entries, countIf(has(converted, bucket)) AS conversions
    FROM {rows} ARRAY JOIN entered AS bucket GROUP BY {value}, bucket`,
    { value: value.map((name) => field(name)), rows: layers.select([...value, 'entered', 'converted']) },
  );
  if (breakdown === undefined) return byInterval;
  const summed = template(
    `SELECT value, bucket, entries, conversions,
      sum(conversions) OVER (PARTITION BY value) AS all_conversions, sum(entries) OVER (PARTITION BY value) AS all_entries FROM {rows}`,
    { rows: byInterval },
  );
  const ranked = template(
    `SELECT value, bucket, entries, conversions, dense_rank() OVER (ORDER BY all_conversions DESC, all_entries DESC, value ASC) AS place
    FROM {rows}`,
    { rows: summed },
  );
  const folded = template(
    'SELECT {shown}, bucket, sum(entries) AS folded_entries, sum(conversions) AS folded_conversions FROM {rows} GROUP BY shown, is_other, bucket',
    { shown: shown(breakdown), rows: ranked },
  );
  return template(
    'SELECT shown, is_other, groupArray([bucket, folded_entries, folded_conversions]) AS points FROM {rows} GROUP BY shown, is_other',
    { rows: folded },
  );
}

/** Actors by the time that they took, in bins of equal width. */
export function binsStatement(
  { from, to, bins }: Extract<FunnelResult, { kind: 'times' }>,
  layers: Layers,
  timeOf: TimeOf,
): Statement {
  layers.let('took', '{later} - {sooner}', { later: timeOf(to), sooner: timeOf(from) });
  const all = template(
    `SELECT groupArray(took) AS times, count() AS actors, avg(took) AS mean, intDiv(min(took), 1000000) AS begin,
      intDiv(max(took) + 999999, 1000000) - begin AS length
    FROM {rows} WHERE depth > {last}`,
    {
      last: constant(to),
      rows: layers.select(['depth', 'took']),
    },
  );
  const binned = template('SELECT times, mean, begin, length, {bins} AS bins FROM {all} WHERE actors != 0', {
    bins: bins === undefined ? expressionTemplate(cubeRoot) : constant(bins),
    all,
  });
  const sized = template(
    'SELECT times, mean, begin, bins, if(length = 0, 60, intDiv(length + bins - 1, bins)) AS width FROM {binned}',
    { binned },
  );
  return template(
    `SELECT intDiv(took - begin * 1000000, width * 1000000) AS bin, count() AS actors, begin, width, bins, mean
    FROM {sized} ARRAY JOIN times AS took GROUP BY bin, begin, width, bins, mean`,
    { sized },
  );
}

/** Cube root of the number of conversions, rounded up, 60 at most: the root that the engine has may be a little off. */
const cubeRoot =
  'arrayFirst(b -> b * b * b >= least(actors, 216000), range(toInt(round(cbrt(least(actors, 216000)))), 62))';

/** Value of a row, and whether it stands for all values beyond those that stay apart. */
const shown = ({ valuesMax }: FunnelBreakdown): Expression[] => [
  alias(expressionTemplate(`if(place <= {most}, value, '')`, { most: constant(valuesMax) }), 'shown'),
  alias(expressionTemplate('place > {most}', { most: constant(valuesMax) }), 'is_other'),
];
