import { describe, expect, test } from '@jest/globals';
import { prepareStatement } from '../../compile.ts';
import { asNumber, asStored, eventField } from '../nodes.ts';
import { buildRetention } from './build-retention.ts';
import type { RetentionPlan } from './retention-plan.ts';

const conditions = { all: true, members: [] };
const view = { event: 'view', conditions };
const plan: RetentionPlan = {
  start: view,
  returning: view,
  conditions,
  intervals: { unit: 'day', start: '2025-01-05 23:00:00.000000' },
  rows: 5,
  values: 3,
  to: '2025-01-10 22:59:59.999999',
  type: 'recurring',
  groupTypeIndex: null,
  minimum: 1,
  cumulative: false,
  breakdownValuesMax: 10_000,
};
const printed = (given: RetentionPlan) =>
  prepareStatement(buildRetention(given)).print({ timeZone: 'Europe/Berlin' }, { rowsMax: 100 });

/** The text, a line for each clause. */
const lines = (sql: string): string[] =>
  sql.split(/ (?=FROM |WHERE |GROUP BY |HAVING |LEFT JOIN |LEFT ANY JOIN |UNION ALL |LIMIT )/);

describe('the statement of a retention', () => {
  test('of one event reads it once, into one list for each person', () => {
    const { sql, params } = printed(plan);
    expect(lines(sql)).toEqual([
      'SELECT nullIf({p0:String}, {p0:String}) AS `insight_value_0`, false AS `insight_folded`, groupArray(plus(multiply(`__t0`.`insight_row`, 3), `__t0`.`insight_place`)) AS `insight_cells`, groupArray(`__t0`.`insight_count`) AS `insight_counts`',
      'FROM (SELECT `__t1`.`insight_row` AS `insight_row`, `__t1`.`insight_place` AS `insight_place`, count() AS `insight_count`',
      'FROM (SELECT `__t2`.`insight_row` AS `insight_row`, arrayJoin(arrayPushFront(arrayFilter((`__x8`) -> lessOrEquals(`__x8`, 2), `__t2`.`insight_distances`), 0)) AS `insight_place`',
      'FROM (SELECT `__t3`.`insight_start` AS `insight_row`, arrayFilter((`__x7`) -> greater(`__x7`, 0), arrayMap((`__x6`) -> minus(`__x6`, `__t3`.`insight_start`), `__t3`.`insight_returns`)) AS `insight_distances`',
      'FROM (SELECT arrayJoin(`__t4`.`insight_starts`) AS `insight_start`, `__t4`.`insight_returns` AS `insight_returns`',
      "FROM (SELECT `__t5`.`c0` AS `insight_actor`, groupUniqArray(minus(toRelativeDayNum(toTimeZone(`__t5`.`c1`, 'Europe/Berlin')), toRelativeDayNum(toTimeZone({p1:DateTime64(6, 'UTC')}, 'Europe/Berlin')))) AS `insight_starts`, groupUniqArray(minus(toRelativeDayNum(toTimeZone(`__t5`.`c1`, 'Europe/Berlin')), toRelativeDayNum(toTimeZone({p1:DateTime64(6, 'UTC')}, 'Europe/Berlin')))) AS `insight_returns`",
      'FROM (SELECT if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c0`, `__row`.`timestamp` AS `c1`, `__row`.`event` AS `c2`',
      'FROM analytics.events AS `__row`',
      'LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0`',
      'FROM analytics.person_overrides',
      'GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t5`',
      "WHERE and(and(greaterOrEquals(`__t5`.`c1`, {p1:DateTime64(6, 'UTC')}), lessOrEquals(`__t5`.`c1`, {p2:DateTime64(6, 'UTC')})), equals(`__t5`.`c2`, {p3:String}))",
      'GROUP BY `insight_actor`',
      'HAVING notEmpty(`insight_starts`)) AS `__t4`) AS `__t3`) AS `__t2`) AS `__t1`',
      'GROUP BY `__t1`.`insight_row`, `__t1`.`insight_place`) AS `__t0`',
      'LIMIT 101 SETTINGS max_block_size = 2048',
    ]);
    expect(params).toEqual({ p0: '', p1: '2025-01-05 23:00:00.000000', p2: '2025-01-10 22:59:59.999999', p3: 'view' });
  });

  test('of first events reads those before the range for them alone', () => {
    const returning = { event: 'buy', conditions };
    const { sql, params } = printed({ ...plan, type: 'first_ever', returning, groupTypeIndex: 0 });
    expect(lines(sql)).toEqual([
      'SELECT nullIf({p0:String}, {p0:String}) AS `insight_value_0`, false AS `insight_folded`, groupArray(plus(multiply(`__t0`.`insight_row`, 3), `__t0`.`insight_place`)) AS `insight_cells`, groupArray(`__t0`.`insight_count`) AS `insight_counts`',
      'FROM (SELECT `__t1`.`insight_row` AS `insight_row`, `__t1`.`insight_place` AS `insight_place`, count() AS `insight_count`',
      'FROM (SELECT `__t2`.`insight_row` AS `insight_row`, arrayJoin(arrayPushFront(arrayFilter((`__x8`) -> lessOrEquals(`__x8`, 2), `__t2`.`insight_distances`), 0)) AS `insight_place`',
      'FROM (SELECT `__t3`.`insight_start` AS `insight_row`, arrayFilter((`__x7`) -> greater(`__x7`, 0), arrayMap((`__x6`) -> minus(`__x6`, `__t3`.`insight_start`), `__t3`.`insight_returns`)) AS `insight_distances`',
      'FROM (SELECT arrayJoin(`__t4`.`insight_starts`) AS `insight_start`, `__t4`.`insight_returns` AS `insight_returns`',
      "FROM (SELECT `__t5`.`$group_0` AS `insight_actor`, array(minus(toRelativeDayNum(toTimeZone(assumeNotNull(minIfOrNull(`__t5`.`timestamp`, equals(`__t5`.`event`, {p1:String}))), 'Europe/Berlin')), toRelativeDayNum(toTimeZone({p2:DateTime64(6, 'UTC')}, 'Europe/Berlin')))) AS `insight_starts`, groupUniqArrayIf(minus(toRelativeDayNum(toTimeZone(`__t5`.`timestamp`, 'Europe/Berlin')), toRelativeDayNum(toTimeZone({p2:DateTime64(6, 'UTC')}, 'Europe/Berlin'))), and(equals(`__t5`.`event`, {p3:String}), greaterOrEquals(`__t5`.`timestamp`, {p2:DateTime64(6, 'UTC')}))) AS `insight_returns`",
      'FROM analytics.events AS `__t5`',
      "WHERE and(lessOrEquals(`__t5`.`timestamp`, {p4:DateTime64(6, 'UTC')}), notEquals(`__t5`.`$group_0`, {p0:String}), or(equals(`__t5`.`event`, {p1:String}), and(equals(`__t5`.`event`, {p3:String}), greaterOrEquals(`__t5`.`timestamp`, {p2:DateTime64(6, 'UTC')}))))",
      'GROUP BY `insight_actor`',
      "HAVING and(greaterOrEquals(minIfOrNull(`__t5`.`timestamp`, equals(`__t5`.`event`, {p1:String})), {p2:DateTime64(6, 'UTC')}), equals(minIfOrNull(`__t5`.`timestamp`, equals(`__t5`.`event`, {p1:String})), minIfOrNull(`__t5`.`timestamp`, equals(`__t5`.`event`, {p1:String}))))) AS `__t4`) AS `__t3`) AS `__t2`) AS `__t1`",
      'GROUP BY `__t1`.`insight_row`, `__t1`.`insight_place`) AS `__t0`',
      'LIMIT 101',
    ]);
    expect(params).toEqual({
      p0: '',
      p1: 'view',
      p2: '2025-01-05 23:00:00.000000',
      p3: 'buy',
      p4: '2025-01-10 22:59:59.999999',
    });
  });

  test('of cumulative sums by brackets and a breakdown groups by interval, by bracket, and by value', () => {
    const { sql, params } = printed({
      ...plan,
      minimum: 2,
      cumulative: true,
      brackets: [1, 2],
      summed: asNumber(eventField('properties', 'n')),
      breakdown: { expression: asStored(eventField('properties', 'plan')) },
    });
    expect(lines(sql)).toEqual([
      'SELECT any(`__t0`.`insight_value`) AS `insight_value_0`, greater(`__t0`.`insight_block`, 10000) AS `insight_folded`, groupArray(plus(multiply(`__t0`.`insight_row`, 3), `__t0`.`insight_place`)) AS `insight_cells`, groupArray(`__t0`.`insight_count`) AS `insight_counts`, groupArray(`__t0`.`insight_sum`) AS `insight_sums`',
      'FROM (SELECT least(toInt64(`__t1`.`insight_rank`), toInt64(plus(10000, 1))) AS `insight_block`, any(`__t1`.`insight_value`) AS `insight_value`, `__t1`.`insight_row` AS `insight_row`, `__t1`.`insight_place` AS `insight_place`, sum(`__t1`.`insight_count`) AS `insight_count`, sum(`__t1`.`insight_sum`) AS `insight_sum`',
      'FROM (SELECT `__t2`.`insight_value` AS `insight_value`, `__t2`.`insight_row` AS `insight_row`, `__t2`.`insight_place` AS `insight_place`, `__t2`.`insight_count` AS `insight_count`, `__t2`.`insight_sum` AS `insight_sum`, dense_rank() OVER (ORDER BY `__t2`.`insight_size` DESC, isNull(`__t2`.`insight_value`) ASC, `__t2`.`insight_value` ASC) AS `insight_rank`',
      'FROM (SELECT `__t3`.`insight_value` AS `insight_value`, `__t3`.`insight_row` AS `insight_row`, `__t3`.`insight_place` AS `insight_place`, `__t3`.`insight_count` AS `insight_count`, `__t3`.`insight_sum` AS `insight_sum`, sum(`__t3`.`insight_count`) OVER (PARTITION BY `__t3`.`insight_value`) AS `insight_size`',
      'FROM (SELECT `__t4`.`insight_value` AS `insight_value`, `__t4`.`insight_row` AS `insight_row`, least(`__t4`.`insight_end`, 2) AS `insight_place`, countIf(equals(`__t4`.`insight_end`, `__t4`.`insight_farthest`)) AS `insight_count`, sumIf(`__t4`.`insight_amount`, lessOrEquals(`__t4`.`insight_end`, least(`__t4`.`insight_farthest`, 2))) AS `insight_sum`',
      'FROM (SELECT `__t5`.`insight_value` AS `insight_value`, `__t5`.`insight_row` AS `insight_row`, `__t5`.`insight_end` AS `insight_end`, `__t5`.`insight_amount` AS `insight_amount`, max(if(`__t5`.`insight_is_enough`, `__t5`.`insight_end`, 0)) OVER (PARTITION BY `__t5`.`insight_actor`, `__t5`.`insight_value`, `__t5`.`insight_row`) AS `insight_farthest`',
      'FROM (SELECT `__t6`.`insight_actor` AS `insight_actor`, `__t6`.`insight_value` AS `insight_value`, `__t6`.`insight_row` AS `insight_row`, `__t6`.`insight_bracket` AS `insight_end`, max(`__t6`.`insight_is_enough`) AS `insight_is_enough`, sum(`__t6`.`insight_amount`) AS `insight_amount`',
      'FROM (SELECT `__t7`.`insight_actor` AS `insight_actor`, `__t7`.`insight_value` AS `insight_value`, `__t7`.`insight_row` AS `insight_row`, multiIf(equals(`__t7`.`insight_end`, 0), 0, equals(multiIf(lessOrEquals(`__t7`.`insight_end`, 1), 1, lessOrEquals(`__t7`.`insight_end`, 3), 2, 0), 0), (-1), toInt64(multiIf(lessOrEquals(`__t7`.`insight_end`, 1), 1, lessOrEquals(`__t7`.`insight_end`, 3), 2, 0))) AS `insight_bracket`, `__t7`.`insight_is_enough` AS `insight_is_enough`, `__t7`.`insight_amount` AS `insight_amount`',
      'FROM (SELECT `__t8`.`insight_actor` AS `insight_actor`, `__t8`.`insight_value` AS `insight_value`, `__t8`.`insight_row` AS `insight_row`, `__t8`.`insight_end` AS `insight_end`, `__t8`.`insight_is_enough` AS `insight_is_enough`, `__t8`.`insight_amount` AS `insight_amount`',
      'FROM (SELECT `__t9`.`insight_actor` AS `insight_actor`, `__t9`.`insight_value` AS `insight_value`, tupleElement(`__t9`.`insight_start`, 1) AS `insight_row`, less(tupleElement(`__t9`.`insight_item`, 1), 0) AS `insight_is_start`, if(`insight_is_start`, 0, minus(tupleElement(`__t9`.`insight_item`, 1), tupleElement(`__t9`.`insight_start`, 1))) AS `insight_end`, tupleElement(`__t9`.`insight_item`, 2) AS `insight_is_enough`, if(`insight_is_start`, tupleElement(`__t9`.`insight_start`, 2), tupleElement(`__t9`.`insight_item`, 3)) AS `insight_amount`',
      'FROM (SELECT `__t10`.`insight_actor` AS `insight_actor`, `__t10`.`insight_value` AS `insight_value`, `__t10`.`insight_start` AS `insight_start`, arrayJoin(arrayPushFront(`__t10`.`insight_returns`, tuple((-1), true, 0))) AS `insight_item`',
      'FROM (SELECT `__t11`.`insight_actor` AS `insight_actor`, `__t11`.`insight_value` AS `insight_value`, arrayJoin(`__t11`.`insight_starts`) AS `insight_start`, `__t11`.`insight_returns` AS `insight_returns`',
      'FROM (SELECT `__t12`.`insight_actor` AS `insight_actor`, `__t12`.`insight_value` AS `insight_value`, groupArrayIf(tuple(`__t12`.`insight_interval`, `__t12`.`insight_start_sum`), greater(`__t12`.`insight_start_count`, 0)) AS `insight_starts`, groupArrayIf(tuple(`__t12`.`insight_interval`, greaterOrEquals(`__t12`.`insight_return_count`, 2), `__t12`.`insight_return_sum`), greater(`__t12`.`insight_return_count`, 0)) AS `insight_returns`',
      "FROM (SELECT `__t13`.`c0` AS `insight_actor`, `__t13`.`c1` AS `insight_value`, minus(toRelativeDayNum(toTimeZone(`__t13`.`c2`, 'Europe/Berlin')), toRelativeDayNum(toTimeZone({p0:DateTime64(6, 'UTC')}, 'Europe/Berlin'))) AS `insight_interval`, countIf(equals(`__t13`.`c3`, {p1:String})) AS `insight_start_count`, countIf(equals(`__t13`.`c3`, {p1:String})) AS `insight_return_count`, minIfOrNull(`__t13`.`c2`, equals(`__t13`.`c3`, {p1:String})) AS `insight_first`, ifNull(sumIf(toFloat64OrNull(`__t13`.`c4`), equals(`__t13`.`c3`, {p1:String})), 0) AS `insight_start_sum`, ifNull(sumIf(toFloat64OrNull(`__t13`.`c4`), equals(`__t13`.`c3`, {p1:String})), 0) AS `insight_return_sum`",
      "FROM (SELECT if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c0`, `__row`.`properties`['plan'] AS `c1`, `__row`.`timestamp` AS `c2`, `__row`.`event` AS `c3`, `__row`.`properties`['n'] AS `c4`",
      'FROM analytics.events AS `__row`',
      'LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0`',
      'FROM analytics.person_overrides',
      'GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t13`',
      "WHERE and(and(greaterOrEquals(`__t13`.`c2`, {p0:DateTime64(6, 'UTC')}), lessOrEquals(`__t13`.`c2`, {p2:DateTime64(6, 'UTC')})), equals(`__t13`.`c3`, {p1:String}))",
      'GROUP BY `insight_actor`, `insight_value`, `insight_interval`) AS `__t12`',
      'GROUP BY `__t12`.`insight_actor`, `__t12`.`insight_value`',
      'HAVING notEmpty(`insight_starts`)) AS `__t11`) AS `__t10`) AS `__t9`) AS `__t8`',
      'WHERE or(`__t8`.`insight_is_start`, greater(`__t8`.`insight_end`, 0))) AS `__t7`) AS `__t6`',
      'WHERE greaterOrEquals(`__t6`.`insight_bracket`, 0)',
      'GROUP BY `__t6`.`insight_actor`, `__t6`.`insight_value`, `__t6`.`insight_row`, `__t6`.`insight_bracket`) AS `__t5`) AS `__t4`',
      'GROUP BY `__t4`.`insight_value`, `__t4`.`insight_row`, `insight_place`) AS `__t3`) AS `__t2`) AS `__t1`',
      'GROUP BY `insight_block`, `__t1`.`insight_row`, `__t1`.`insight_place`) AS `__t0`',
      'GROUP BY `__t0`.`insight_block`',
      'LIMIT 101 SETTINGS max_block_size = 512',
    ]);
    expect(params).toEqual({ p0: '2025-01-05 23:00:00.000000', p1: 'view', p2: '2025-01-10 22:59:59.999999' });
  });

  test('takes blocks of at least 512 rows', () => {
    const breakdown = { expression: asStored(eventField('properties', 'plan')) };
    const plans: Partial<RetentionPlan>[] = [
      {},
      { minimum: 2 },
      { cumulative: true, brackets: [1, 2] },
      { windowSeconds: 86_400 },
      { windowSeconds: 86_400, minimum: 2 },
      { summed: asNumber(eventField('properties', 'n')) },
      { summed: asNumber(eventField('properties', 'n')), cumulative: true },
    ];
    const blocks = plans.flatMap((more) =>
      [{}, { breakdown }].map((by) => {
        const { sql } = printed({ ...plan, ...more, ...by });
        return Number(/max_block_size = (\d+)$/.exec(sql)?.[1] ?? 65_536);
      }),
    );
    expect(Math.min(...blocks)).toBeGreaterThanOrEqual(512);
  });

  test('names and values of a request are parameters, whatever they are', () => {
    const evil = "x'); DROP TABLE events; --`\\";
    const { sql, params } = printed({
      ...plan,
      start: { event: evil, conditions },
      summed: asNumber(eventField('properties', evil)),
      breakdown: { expression: asStored(eventField('properties', evil)) },
    });
    expect(sql).not.toContain("x')");
    expect(Object.values(params)).toContain(evil);
  });
});
