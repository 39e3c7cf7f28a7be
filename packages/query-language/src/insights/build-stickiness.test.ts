import { describe, expect, test } from '@jest/globals';
import { prepareStatement } from '../compile.ts';
import { buildStickiness, type StickinessPart, type StickinessPlan } from './build-stickiness.ts';

const part: StickinessPart = {
  event: 'view',
  conditions: { all: true, members: [] },
  intervals: { unit: 'day', start: '2025-01-05 23:00:00.000000' },
  from: '2025-01-05 23:00:00.000000',
  to: '2025-01-10 22:59:59.999999',
  actor: { of: 'person' },
};
const printed = (given: StickinessPlan) =>
  prepareStatement(buildStickiness(given)).print({ timeZone: 'Europe/Berlin' }, { rowsMax: 100 });

/** The text, a line for each clause. */
const lines = (sql: string): string[] =>
  sql.split(/ (?=FROM |WHERE |GROUP BY |HAVING |LEFT JOIN |LEFT ANY JOIN |UNION ALL |LIMIT )/);

describe('the statement of a stickiness', () => {
  test('groups events by person, and persons by their number of intervals', () => {
    const { sql, params } = printed({ parts: [part] });
    expect(lines(sql)).toEqual([
      'SELECT 0 AS `insight_part`, `__t0`.`insight_intervals` AS `insight_intervals`, count() AS `insight_actors`',
      "FROM (SELECT `__t1`.`c0` AS `insight_actor`, uniqExact(minus(toRelativeDayNum(toTimeZone(`__t1`.`c1`, 'Europe/Berlin')), toRelativeDayNum(toTimeZone({p0:DateTime64(6, 'UTC')}, 'Europe/Berlin')))) AS `insight_intervals`",
      'FROM (SELECT if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c0`, `__row`.`timestamp` AS `c1`, `__row`.`event` AS `c2`',
      'FROM analytics.events AS `__row`',
      'LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0`',
      'FROM analytics.person_overrides',
      'GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t1`',
      "WHERE and(equals(`__t1`.`c2`, {p1:String}), and(greaterOrEquals(`__t1`.`c1`, {p0:DateTime64(6, 'UTC')}), lessOrEquals(`__t1`.`c1`, {p2:DateTime64(6, 'UTC')})))",
      'GROUP BY `insight_actor`) AS `__t0`',
      'GROUP BY `__t0`.`insight_intervals`',
      'LIMIT 101',
    ]);
    expect(params).toEqual({ p0: '2025-01-05 23:00:00.000000', p1: 'view', p2: '2025-01-10 22:59:59.999999' });
  });

  test('groups by interval first where an interval needs so many events', () => {
    const actor = { of: 'group' as const, index: 1 };
    const { sql, params } = printed({ parts: [{ ...part, actor }], criteria: { operator: '>=', value: 3 } });
    expect(lines(sql)).toEqual([
      'SELECT 0 AS `insight_part`, `__t0`.`insight_intervals` AS `insight_intervals`, count() AS `insight_actors`',
      'FROM (SELECT `__t1`.`insight_actor` AS `insight_actor`, count() AS `insight_intervals`',
      "FROM (SELECT `__t2`.`$group_1` AS `insight_actor`, minus(toRelativeDayNum(toTimeZone(`__t2`.`timestamp`, 'Europe/Berlin')), toRelativeDayNum(toTimeZone({p0:DateTime64(6, 'UTC')}, 'Europe/Berlin'))) AS `insight_interval`",
      'FROM analytics.events AS `__t2`',
      "WHERE and(and(equals(`__t2`.`event`, {p1:String}), and(greaterOrEquals(`__t2`.`timestamp`, {p0:DateTime64(6, 'UTC')}), lessOrEquals(`__t2`.`timestamp`, {p2:DateTime64(6, 'UTC')}))), notEquals(`__t2`.`$group_1`, {p3:String}))",
      'GROUP BY `insight_actor`, `insight_interval`',
      'HAVING greaterOrEquals(count(), 3)) AS `__t1`',
      'GROUP BY `__t1`.`insight_actor`) AS `__t0`',
      'GROUP BY `__t0`.`insight_intervals`',
      'LIMIT 101',
    ]);
    expect(params).toEqual({ p0: '2025-01-05 23:00:00.000000', p1: 'view', p2: '2025-01-10 22:59:59.999999', p3: '' });
  });

  test('says of each row which part it belongs to', () => {
    const { sql } = printed({ parts: [part, { ...part, event: 'buy' }] });
    expect(lines(sql).filter((line) => line.startsWith('UNION ALL'))).toHaveLength(1);
    expect(sql).toContain('SELECT 1 AS `insight_part`');
  });

  test('names and values of a request are parameters, whatever they are', () => {
    const evil = "x'); DROP TABLE events; --`\\";
    const { sql, params } = printed({ parts: [{ ...part, event: evil }] });
    expect(sql).not.toContain("x')");
    expect(Object.values(params)).toContain(evil);
  });
});
