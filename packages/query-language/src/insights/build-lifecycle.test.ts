import { describe, expect, test } from '@jest/globals';
import { prepareStatement } from '../compile.ts';
import { buildLifecycle, type LifecyclePlan } from './build-lifecycle.ts';

const plan: LifecyclePlan = {
  event: 'view',
  conditions: { all: true, members: [] },
  intervals: { unit: 'day', start: '2025-01-05 23:00:00.000000' },
  to: '2025-01-10 22:59:59.999999',
  groupTypeIndex: null,
};
const printed = (given: LifecyclePlan) =>
  prepareStatement(buildLifecycle(given)).print({ timeZone: 'Europe/Berlin' }, { rowsMax: 100 });

/** The text, a line for each clause. */
const lines = (sql: string): string[] =>
  sql.split(/ (?=FROM |WHERE |GROUP BY |HAVING |LEFT JOIN |LEFT ANY JOIN |UNION ALL |LIMIT )/);

describe('the statement of a lifecycle', () => {
  test('of persons reads events once, and joins those persons who were created in the range to one row each', () => {
    const { sql, params } = printed(plan);
    expect(lines(sql)).toEqual([
      'SELECT tupleElement(`__t0`.`insight_active`, 1) AS `insight_interval`, count() AS `insight_actors`, countIf(equals(tupleElement(`__t0`.`insight_active`, 2), 1)) AS `insight_returning`, countIf(and(equals(tupleElement(`__t0`.`insight_active`, 2), 0), ifNull(equals(tupleElement(`__t0`.`insight_active`, 1), `__t0`.`insight_created`), 0))) AS `insight_new`',
      'FROM (SELECT arrayJoin(arrayZip(`__t1`.`insight_intervals`, arrayDifference(`__t1`.`insight_intervals`))) AS `insight_active`, `__t3`.`__n0` AS `insight_created`',
      "FROM (SELECT `__t2`.`c0` AS `insight_actor`, arraySort(groupUniqArray(minus(toRelativeDayNum(toTimeZone(`__t2`.`c1`, 'Europe/Berlin')), toRelativeDayNum(toTimeZone({p0:DateTime64(6, 'UTC')}, 'Europe/Berlin'))))) AS `insight_intervals`",
      'FROM (SELECT if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c0`, `__row`.`timestamp` AS `c1`, `__row`.`event` AS `c2`, toString(`__row`.`person_mode`) AS `c3`',
      'FROM analytics.events AS `__row`',
      'LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0`',
      'FROM analytics.person_overrides',
      'GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t2`',
      "WHERE and(greaterOrEquals(`__t2`.`c1`, toStartOfDay(subtractDays(toTimeZone({p0:DateTime64(6, 'UTC')}, 'Europe/Berlin'), 1))), and(equals(`__t2`.`c2`, {p1:String}), lessOrEquals(`__t2`.`c1`, {p2:DateTime64(6, 'UTC')})), equals(`__t2`.`c3`, {p3:String}))",
      'GROUP BY `insight_actor`) AS `__t1`',
      'LEFT JOIN (SELECT toNullable(`insight_created`) AS `__n0`, toNullable(`insight_key`) AS `__n1`',
      "FROM (SELECT `__t4`.`c0` AS `insight_key`, minus(toRelativeDayNum(toTimeZone(`__t4`.`c1`, 'Europe/Berlin')), toRelativeDayNum(toTimeZone({p0:DateTime64(6, 'UTC')}, 'Europe/Berlin'))) AS `insight_created`",
      'FROM (SELECT `id` AS `c0`, `created_at` AS `c1`',
      'FROM analytics.persons FINAL',
      'WHERE NOT `is_deleted`) AS `__t4`',
      "WHERE greaterOrEquals(`__t4`.`c1`, {p0:DateTime64(6, 'UTC')}))) AS `__t3` ON equals(`__t3`.`__n1`, `__t1`.`insight_actor`)) AS `__t0`",
      'GROUP BY `insight_interval`',
      'LIMIT 101',
    ]);
    expect(params).toEqual({
      p0: '2025-01-05 23:00:00.000000',
      p1: 'view',
      p2: '2025-01-10 22:59:59.999999',
      p3: 'full',
    });
  });

  test('of groups by week reads no persons', () => {
    const intervals = { ...plan.intervals, unit: 'week' as const };
    const { sql, params } = printed({ ...plan, event: null, intervals, groupTypeIndex: 2 });
    expect(lines(sql)).toEqual([
      'SELECT tupleElement(`__t0`.`insight_active`, 1) AS `insight_interval`, count() AS `insight_actors`, countIf(equals(tupleElement(`__t0`.`insight_active`, 2), 1)) AS `insight_returning`, countIf(and(equals(tupleElement(`__t0`.`insight_active`, 2), 0), ifNull(equals(tupleElement(`__t0`.`insight_active`, 1), `__t0`.`insight_created`), 0))) AS `insight_new`',
      'FROM (SELECT arrayJoin(arrayZip(`__t1`.`insight_intervals`, arrayDifference(`__t1`.`insight_intervals`))) AS `insight_active`, `__t3`.`__n0` AS `insight_created`',
      "FROM (SELECT `__t2`.`$group_2` AS `insight_actor`, arraySort(groupUniqArray(minus(intDiv(plus(toRelativeDayNum(toTimeZone(`__t2`.`timestamp`, 'Europe/Berlin')), 4), 7), intDiv(plus(toRelativeDayNum(toTimeZone({p0:DateTime64(6, 'UTC')}, 'Europe/Berlin')), 4), 7)))) AS `insight_intervals`",
      'FROM analytics.events AS `__t2`',
      "WHERE and(greaterOrEquals(`__t2`.`timestamp`, toStartOfDay(subtractWeeks(toTimeZone({p0:DateTime64(6, 'UTC')}, 'Europe/Berlin'), 1))), lessOrEquals(`__t2`.`timestamp`, {p1:DateTime64(6, 'UTC')}), equals(toString(`__t2`.`person_mode`), {p2:String}), notEquals(`__t2`.`$group_2`, {p3:String}))",
      'GROUP BY `insight_actor`) AS `__t1`',
      'LEFT JOIN (SELECT toNullable(`insight_created`) AS `__n0`, toNullable(`insight_key`) AS `__n1`',
      "FROM (SELECT `__t4`.`c0` AS `insight_key`, minus(intDiv(plus(toRelativeDayNum(toTimeZone(`__t4`.`c1`, 'Europe/Berlin')), 4), 7), intDiv(plus(toRelativeDayNum(toTimeZone({p0:DateTime64(6, 'UTC')}, 'Europe/Berlin')), 4), 7)) AS `insight_created`",
      'FROM (SELECT `group_key` AS `c0`, `created_at` AS `c1`, `group_type_index` AS `c2`',
      'FROM analytics.groups FINAL',
      'WHERE NOT `is_deleted`) AS `__t4`',
      "WHERE and(equals(`__t4`.`c2`, 2), greaterOrEquals(`__t4`.`c1`, {p0:DateTime64(6, 'UTC')})))) AS `__t3` ON equals(`__t3`.`__n1`, `__t1`.`insight_actor`)) AS `__t0`",
      'GROUP BY `insight_interval`',
      'LIMIT 101',
    ]);
    expect(params).toEqual({ p0: '2025-01-05 23:00:00.000000', p1: '2025-01-10 22:59:59.999999', p2: 'full', p3: '' });
  });

  test('names and values of a request are parameters, whatever they are', () => {
    const evil = "x'); DROP TABLE events; --`\\";
    const test = { operator: 'in' as const, values: [evil] };
    const conditions = { all: true, members: [{ subject: { of: 'event' as const }, key: evil, test }] };
    const { sql, params } = printed({ ...plan, event: evil, conditions });
    expect(sql).not.toContain("x')");
    expect(Object.values(params)).toEqual(expect.arrayContaining([evil, [evil]]));
  });
});
