import { describe, expect, test } from '@jest/globals';
import { prepareStatement } from '../../compile.ts';
import type { Expression } from '../../tree/expressions.ts';
import { asNumber, asStored, call, constant, eventField } from '../nodes.ts';
import { buildTrends } from './build-trends.ts';
import type { TrendsMath, TrendsPlan, TrendsSeries, TrendsUnit } from './trends-plan.ts';

const seriesOf = (math: TrendsMath): TrendsSeries => ({
  event: 'view',
  conditions: { all: true, members: [] },
  from: '2025-01-06 00:00:00.000000',
  to: '2025-01-10 23:59:59.999999',
  math,
});
const property = (name: string): Expression => call('nullIf', asStored(eventField('properties', name)), constant(''));
const planOf = (math: TrendsMath, unit: TrendsUnit = 'day', values: TrendsPlan['values'] = []): TrendsPlan => ({
  series: [seriesOf(math)],
  unit,
  values,
  valuesMax: 10_000,
});
const printed = (plan: TrendsPlan) =>
  prepareStatement(buildTrends(plan)).print({ timeZone: 'Europe/Berlin' }, { rowsMax: 100 });

/** The text, a line for each clause. */
const lines = (sql: string): string[] =>
  sql.split(/ (?=FROM |WHERE |GROUP BY |HAVING |ARRAY JOIN |LEFT ANY JOIN |LIMIT )/);

const quantile: TrendsMath = {
  of: 'numbers',
  math: { quantile: 0.9 },
  number: asNumber(eventField('properties', 'n')),
};
const maths: TrendsMath[] = [
  { of: 'events' },
  { of: 'actors', actor: 'person', once: false },
  { of: 'actors', actor: 'person', once: true },
  { of: 'actors', actor: { group: 2 }, once: true },
  { of: 'actors', actor: 'session', once: false },
  { of: 'firsts', matching: true },
  { of: 'firsts', matching: false },
  { of: 'sessions', math: 'avg' },
  { of: 'events by actor', math: 'max' },
  { of: 'expression', expression: call('count') },
  quantile,
];
const active: TrendsMath = { of: 'active', window: { slots: 'day', width: 7, first: 20_094, last: 20_098 } };

describe('the statement', () => {
  test('of events by day groups once and reads no list of rows', () => {
    const { sql, params } = printed(planOf({ of: 'events' }));
    expect(lines(sql)).toEqual([
      "SELECT 0 AS `insight_part`, false AS `insight_folded`, groupArray(`__t0`.`insight_bucket`) AS `insight_buckets`, groupArray(accurateCastOrNull(if(isFinite(`__t0`.`insight_number`), `__t0`.`insight_number`, 0), 'Float64')) AS `insight_numbers`",
      "FROM (SELECT toUnixTimestamp(toStartOfDay(toTimeZone(`__t1`.`timestamp`, 'Europe/Berlin'))) AS `insight_bucket`, count(`__t1`.`timestamp`) AS `insight_number`",
      'FROM analytics.events AS `__t1`',
      "WHERE and(equals(`__t1`.`event`, {p0:String}), and(greaterOrEquals(`__t1`.`timestamp`, {p1:DateTime64(6, 'UTC')}), lessOrEquals(`__t1`.`timestamp`, {p2:DateTime64(6, 'UTC')})))",
      'GROUP BY `insight_bucket`) AS `__t0`',
      'LIMIT 101',
    ]);
    expect(params).toEqual({ p0: 'view', p1: '2025-01-06 00:00:00.000000', p2: '2025-01-10 23:59:59.999999' });
  });

  test('of different persons by a property ranks values, and folds those beyond the limit', () => {
    const { sql, params } = printed(
      planOf({ of: 'actors', actor: 'person', once: false }, 'week', [{ expression: property('plan') }]),
    );
    expect(lines(sql)).toEqual([
      'SELECT 0 AS `insight_part`, greater(max(`__t0`.`insight_rank`), 10000) AS `insight_folded`, if(greater(max(`__t0`.`insight_rank`), 10000), tupleElement(sumMapIf(`__t0`.`insight_starts`, `__t0`.`insight_figures`, greater(`__t0`.`insight_rank`, 10000)), 1), any(`__t0`.`insight_starts`)) AS `insight_buckets`, if(greater(max(`__t0`.`insight_rank`), 10000), tupleElement(sumMapIf(`__t0`.`insight_starts`, `__t0`.`insight_figures`, greater(`__t0`.`insight_rank`, 10000)), 2), any(`__t0`.`insight_figures`)) AS `insight_numbers`, any(`__t0`.`insight_value_0`) AS `insight_shown_0`',
      'FROM (SELECT `__t1`.`insight_value_0` AS `insight_value_0`, `__t1`.`insight_starts` AS `insight_starts`, `__t1`.`insight_figures` AS `insight_figures`, `__t1`.`insight_size` AS `insight_size`, row_number() OVER (ORDER BY isNull(`__t1`.`insight_value_0`) ASC, `__t1`.`insight_size` DESC, `__t1`.`insight_value_0` ASC) AS `insight_rank`',
      "FROM (SELECT `__t2`.`insight_value_0` AS `insight_value_0`, groupArray(`__t2`.`insight_bucket`) AS `insight_starts`, groupArray(accurateCastOrNull(if(isFinite(`__t2`.`insight_number`), `__t2`.`insight_number`, 0), 'Float64')) AS `insight_figures`, sum(accurateCastOrNull(if(isFinite(`__t2`.`insight_number`), `__t2`.`insight_number`, 0), 'Float64')) AS `insight_size`",
      "FROM (SELECT nullIf(`__t3`.`c0`, {p0:String}) AS `insight_value_0`, toUnixTimestamp(toDateTime64(toStartOfWeek(toTimeZone(`__t3`.`c1`, 'Europe/Berlin'), 0), 6, 'Europe/Berlin')) AS `insight_bucket`, uniqExact(`__t3`.`c2`) AS `insight_number`",
      "FROM (SELECT `__row`.`properties`['plan'] AS `c0`, `__row`.`timestamp` AS `c1`, if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c2`, `__row`.`event` AS `c3`",
      'FROM analytics.events AS `__row`',
      'LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0`',
      'FROM analytics.person_overrides',
      'GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t3`',
      "WHERE and(equals(`__t3`.`c3`, {p1:String}), and(greaterOrEquals(`__t3`.`c1`, {p2:DateTime64(6, 'UTC')}), lessOrEquals(`__t3`.`c1`, {p3:DateTime64(6, 'UTC')})))",
      'GROUP BY `insight_value_0`, `insight_bucket`) AS `__t2`',
      'GROUP BY `__t2`.`insight_value_0`) AS `__t1`) AS `__t0`',
      'GROUP BY least(toInt64(`__t0`.`insight_rank`), toInt64(plus(10000, 1)))',
      'LIMIT 101',
    ]);
    expect(params).toEqual({ p0: '', p1: 'view', p2: '2025-01-06 00:00:00.000000', p3: '2025-01-10 23:59:59.999999' });
  });

  test('of a total has no intervals', () => {
    expect(lines(printed(planOf(quantile, 'total')).sql)).toEqual([
      "SELECT 0 AS `insight_part`, false AS `insight_folded`, array(0) AS `insight_buckets`, array(accurateCastOrNull(if(isFinite(`__t0`.`insight_number`), `__t0`.`insight_number`, 0), 'Float64')) AS `insight_numbers`",
      "FROM (SELECT quantileExactInclusive(0.9)(if(isFinite(toFloat64OrNull(`__t1`.`properties`['n'])), toFloat64OrNull(`__t1`.`properties`['n']), NULL)) AS `insight_number`",
      'FROM analytics.events AS `__t1`',
      "WHERE and(equals(`__t1`.`event`, {p0:String}), and(greaterOrEquals(`__t1`.`timestamp`, {p1:DateTime64(6, 'UTC')}), lessOrEquals(`__t1`.`timestamp`, {p2:DateTime64(6, 'UTC')})))) AS `__t0`",
      'LIMIT 101',
    ]);
  });

  test('of first events reads all events of the name up to the end', () => {
    const conditions = {
      all: true,
      members: [{ subject: { of: 'event' }, key: 'k', test: { operator: 'set' } }],
    } as const;
    const plan = planOf({ of: 'firsts', matching: false });
    expect(lines(printed({ ...plan, series: plan.series.map((one) => ({ ...one, conditions })) }).sql)).toEqual([
      "SELECT 0 AS `insight_part`, false AS `insight_folded`, groupArray(`__t0`.`insight_bucket`) AS `insight_buckets`, groupArray(accurateCastOrNull(if(isFinite(`__t0`.`insight_number`), `__t0`.`insight_number`, 0), 'Float64')) AS `insight_numbers`",
      "FROM (SELECT toUnixTimestamp(toStartOfDay(toTimeZone(`__t1`.`insight_first`, 'Europe/Berlin'))) AS `insight_bucket`, count(`__t1`.`insight_first`) AS `insight_number`",
      'FROM (SELECT `__t2`.`c0` AS `insight_actor`, min(`__t2`.`c1`) AS `insight_first`, minIfOrNull(`__t2`.`c1`, isNotNull(`__t2`.`c2`)) AS `insight_passed`',
      "FROM (SELECT if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c0`, `__row`.`timestamp` AS `c1`, `__row`.`properties`['k'] AS `c2`, `__row`.`event` AS `c3`",
      'FROM analytics.events AS `__row`',
      'LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0`',
      'FROM analytics.person_overrides',
      'GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t2`',
      "WHERE and(equals(`__t2`.`c3`, {p0:String}), lessOrEquals(`__t2`.`c1`, {p1:DateTime64(6, 'UTC')}))",
      'GROUP BY `insight_actor`',
      "HAVING and(greaterOrEquals(`insight_first`, {p2:DateTime64(6, 'UTC')}), equals(`insight_first`, `insight_passed`))) AS `__t1`",
      'GROUP BY `insight_bucket`) AS `__t0`',
      'LIMIT 101',
    ]);
  });

  test('of active persons has two numbers for a spell of days', () => {
    expect(lines(printed(planOf(active)).sql)).toEqual([
      "SELECT 0 AS `insight_part`, false AS `insight_folded`, groupArray(`__t0`.`insight_bucket`) AS `insight_buckets`, groupArray(accurateCastOrNull(if(isFinite(`__t0`.`insight_number`), `__t0`.`insight_number`, 0), 'Float64')) AS `insight_numbers`",
      'FROM (SELECT `__a7` AS `insight_bucket`, minus(countIf(equals(`__a7`, `__t1`.`insight_from`)), countIf(equals(`__a7`, `__t1`.`insight_until`))) AS `insight_number`',
      'FROM (SELECT `__t2`.`insight_from` AS `insight_from`, `__t2`.`insight_until` AS `insight_until`',
      'FROM (SELECT greatest(`__a5`, 20094) AS `insight_from`, least(toInt64(plus(`__a5`, 7)), toInt64(`__a6`), 20099) AS `insight_until`',
      "FROM (SELECT `__t4`.`c0` AS `insight_actor`, arraySort(groupUniqArray(toInt64(toDate(toTimeZone(`__t4`.`c1`, 'Europe/Berlin'))))) AS `insight_slots`",
      'FROM (SELECT if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c0`, `__row`.`timestamp` AS `c1`, `__row`.`event` AS `c2`',
      'FROM analytics.events AS `__row`',
      'LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0`',
      'FROM analytics.person_overrides',
      'GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t4`',
      "WHERE and(equals(`__t4`.`c2`, {p0:String}), and(greaterOrEquals(`__t4`.`c1`, {p1:DateTime64(6, 'UTC')}), lessOrEquals(`__t4`.`c1`, {p2:DateTime64(6, 'UTC')})))",
      'GROUP BY `insight_actor`) AS `__t3`',
      'ARRAY JOIN `__t3`.`insight_slots` AS `__a5`, arrayPushBack(arraySlice(`__t3`.`insight_slots`, 2), 20099) AS `__a6`) AS `__t2`',
      'WHERE less(`__t2`.`insight_from`, `__t2`.`insight_until`)) AS `__t1`',
      'ARRAY JOIN array(toInt64(`__t1`.`insight_from`), toInt64(`__t1`.`insight_until`)) AS `__a7`',
      'GROUP BY `__a7`) AS `__t0`',
      'LIMIT 101',
    ]);
  });

  test('of bins reads the ends of the numbers once', () => {
    expect(lines(printed(planOf({ of: 'events' }, 'total', [{ expression: property('n'), bins: 3 }])).sql)).toEqual([
      'SELECT 0 AS `insight_part`, greater(max(`__t0`.`insight_rank`), 10000) AS `insight_folded`, array(0) AS `insight_buckets`, array(sum(`__t0`.`insight_size`)) AS `insight_numbers`, any(`__t0`.`insight_value_0`) AS `insight_shown_0`',
      'FROM (SELECT `__t1`.`insight_value_0` AS `insight_value_0`, `__t1`.`insight_size` AS `insight_size`, row_number() OVER (ORDER BY isNull(`__t1`.`insight_value_0`) ASC, `__t1`.`insight_size` DESC, `__t1`.`insight_value_0` ASC) AS `insight_rank`',
      "FROM (SELECT `__t2`.`insight_value_0` AS `insight_value_0`, accurateCastOrNull(if(isFinite(`__t2`.`insight_number`), `__t2`.`insight_number`, 0), 'Float64') AS `insight_size`",
      "FROM (WITH (SELECT tuple(`__t3`.`insight_low`, if(ifNull(greater(`__t3`.`insight_high`, `__t3`.`insight_low`), 0), divide(3, minus(`__t3`.`insight_high`, `__t3`.`insight_low`)), 0), arrayMap((`__x5`) -> concat({p4:String}, ifNull(toString(round(plus(`__t3`.`insight_low`, divide(multiply(`__x5`, minus(`__t3`.`insight_high`, `__t3`.`insight_low`)), 3)), 9)), ''), {p5:String}, ifNull(toString(round(if(and(less(`__x5`, 2), ifNull(greater(`__t3`.`insight_high`, `__t3`.`insight_low`), 0)), plus(`__t3`.`insight_low`, divide(multiply(plus(`__x5`, 1), minus(`__t3`.`insight_high`, `__t3`.`insight_low`)), 3)), plus(`__t3`.`insight_high`, 0.01)), 9)), ''), {p6:String}), range(3))) AS `__c0`",
      "FROM (SELECT min(if(isFinite(toFloat64OrNull(nullIf(`__t4`.`properties`['n'], {p0:String}))), toFloat64OrNull(nullIf(`__t4`.`properties`['n'], {p0:String})), NULL)) AS `insight_low`, max(if(isFinite(toFloat64OrNull(nullIf(`__t4`.`properties`['n'], {p0:String}))), toFloat64OrNull(nullIf(`__t4`.`properties`['n'], {p0:String})), NULL)) AS `insight_high`",
      'FROM analytics.events AS `__t4`',
      "WHERE and(equals(`__t4`.`event`, {p1:String}), and(greaterOrEquals(`__t4`.`timestamp`, {p2:DateTime64(6, 'UTC')}), lessOrEquals(`__t4`.`timestamp`, {p3:DateTime64(6, 'UTC')})))) AS `__t3`) AS `__w6` SELECT if(isNull(if(isFinite(toFloat64OrNull(nullIf(`__t7`.`properties`['n'], {p0:String}))), toFloat64OrNull(nullIf(`__t7`.`properties`['n'], {p0:String})), NULL)), NULL, arrayElement(tupleElement(`__w6`, 3), plus(1, accurateCastOrNull(trunc(least(2, floor(multiply(minus(if(isFinite(toFloat64OrNull(nullIf(`__t7`.`properties`['n'], {p0:String}))), toFloat64OrNull(nullIf(`__t7`.`properties`['n'], {p0:String})), NULL), tupleElement(`__w6`, 1)), tupleElement(`__w6`, 2))))), 'Int64')))) AS `insight_value_0`, count(`__t7`.`timestamp`) AS `insight_number`",
      'FROM analytics.events AS `__t7`',
      "WHERE and(equals(`__t7`.`event`, {p1:String}), and(greaterOrEquals(`__t7`.`timestamp`, {p2:DateTime64(6, 'UTC')}), lessOrEquals(`__t7`.`timestamp`, {p3:DateTime64(6, 'UTC')})))",
      'GROUP BY `insight_value_0`) AS `__t2`) AS `__t1`) AS `__t0`',
      'GROUP BY least(toInt64(`__t0`.`insight_rank`), toInt64(plus(10000, 1)))',
      'LIMIT 101',
    ]);
  });

  test('has columns of one type in all series', () => {
    const plan = planOf({ of: 'events' }, 'day', [{ expression: property('plan') }]);
    const { columns } = printed({ ...plan, series: [...maths, active].map(seriesOf) });
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ['insight_part', 'integer'],
      ['insight_folded', 'boolean'],
      ['insight_buckets', 'array'],
      ['insight_numbers', 'array'],
      ['insight_shown_0', 'string'],
    ]);
  });
});

describe('names and values of a request', () => {
  const hostile = [
    "'",
    '"',
    '`',
    '\\',
    "') OR 1=1 --",
    '{x:String}',
    '\u0000',
    '--',
    '/*',
    'x`y\\',
    '\u202e',
    'insight_bucket',
  ];

  test.each(hostile)('%j is a value or a member, never text of the statement', (name) => {
    const plan = planOf(quantile, 'day', [{ expression: property(name) }, { expression: property('plain') }]);
    const member = { subject: { of: 'event' }, key: name, test: { operator: 'in', values: [name] } } as const;
    const series = plan.series.map((one) => ({ ...one, event: name, conditions: { all: true, members: [member] } }));
    const { sql, params } = printed({ ...plan, series });
    expect(Object.values(params)).toContain(name);
    const shape = printed({
      ...plan,
      values: [{ expression: property('a') }, { expression: property('plain') }],
      series: series.map((one) => ({
        ...one,
        event: 'a',
        conditions: { all: true, members: [{ ...member, key: 'a', test: { operator: 'in', values: ['a'] } }] },
      })),
    }).sql;
    const quotedName = /\['(?:[^'\\]|\\.)*'\]/g;
    expect(sql.replace(quotedName, '[]')).toBe(shape.replace(quotedName, '[]'));
  });
});

test('no statement makes the engine read small blocks', () => {
  const values = [[], [{ expression: property('plan') }], [{ expression: property('n'), bins: 5 }]];
  for (const unit of ['day', 'total'] as const)
    for (const math of [...maths, active])
      for (const value of values) expect(printed(planOf(math, unit, value)).sql).not.toMatch(/SETTINGS/);
});
