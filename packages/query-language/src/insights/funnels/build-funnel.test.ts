import { describe, expect, test } from '@jest/globals';
import { prepareStatement } from '../../compile.ts';
import { asStored, eventField } from '../nodes.ts';
import { buildFunnel } from './build-funnel.ts';
import type { FunnelPlan } from './funnel-plan.ts';

const none = { all: true, members: [] };
const plan: FunnelPlan = {
  from: '2025-01-06 00:00:00.000000',
  to: '2025-01-10 23:59:59.999999',
  conditions: none,
  actor: { id: eventField('person_id'), sparse: false },
  steps: ['view', 'buy'].map((event) => ({ event, conditions: none })),
  exclusions: [],
  order: 'ordered',
  windowSeconds: 60,
  result: { kind: 'steps' },
};
const print = (more: Partial<FunnelPlan> = {}) =>
  prepareStatement(buildFunnel({ ...plan, ...more })).print({ timeZone: 'Europe/Berlin' }, { rowsMax: 100 });

/** The text, a line for each SELECT from the outermost on. */
const lines = (sql: string): string[] => sql.split(/(?<= FROM )\((?=SELECT )/);

describe('the statement', () => {
  test('of steps reads events once, sorts the times of each actor, and walks them step by step', () => {
    const { sql, params } = print();
    expect(lines(sql)).toEqual([
      'SELECT countIf(greater(`__t0`.`depth`, 0)) AS `count_0`, countIf(greater(`__t0`.`depth`, 1)) AS `count_1`, avgIf(`__t0`.`took_1`, notEquals(`__t0`.`took_1`, 0)) AS `mean_1`, quantileExactInclusiveIf(0.5)(`__t0`.`took_1`, notEquals(`__t0`.`took_1`, 0)) AS `median_1` FROM ',
      'SELECT `__t1`.`depth` AS `depth`, if(greater(`__t1`.`depth`, 1), minus(arrayElement(`__t1`.`times`, indexOf(`__t1`.`reached_1`, `__t1`.`entry`)), `__t1`.`entry`), 0) AS `took_1` FROM ',
      'SELECT `__t2`.`times` AS `times`, `__t2`.`reached_1` AS `reached_1`, multiIf(notEquals(`__t2`.`entry_1`, 0), 2, notEquals(`__t2`.`entry_0`, 0), 1, 0) AS `depth`, multiIf(notEquals(`__t2`.`entry_1`, 0), toInt64(`__t2`.`entry_1`), notEquals(`__t2`.`entry_0`, 0), toInt64(`__t2`.`entry_0`), 0) AS `entry` FROM ',
      'SELECT `__t3`.`times` AS `times`, `__t3`.`reached_1` AS `reached_1`, arrayFirst((`__x16`) -> notEquals(`__x16`, 0), `__t3`.`reached_0`) AS `entry_0`, arrayFirst((`__x17`) -> notEquals(`__x17`, 0), `__t3`.`reached_1`) AS `entry_1` FROM ',
      'SELECT `__t4`.`times` AS `times`, `__t4`.`reached_0` AS `reached_0`, arrayMap((`__x13`, `__x14`, `__x15`) -> if(and(bitTest(`__x13`, 1), lessOrEquals(minus(`__x14`, `__x15`), 60000000)), `__x15`, 0), `__t4`.`codes`, `__t4`.`times`, arrayFill((`__x12`) -> notEquals(`__x12`, 0), `__t4`.`reached_0`)) AS `reached_1` FROM ',
      'SELECT `__t5`.`times` AS `times`, `__t5`.`codes` AS `codes`, arrayMap((`__x10`, `__x11`) -> if(bitTest(`__x10`, 0), `__x11`, 0), `__t5`.`codes`, `__t5`.`times`) AS `reached_0` FROM ',
      'SELECT arrayMap((`__x9`) -> bitShiftRight(`__x9`, 2), `__t6`.`elements`) AS `times`, `__t6`.`elements` AS `codes` FROM ',
      'SELECT arraySort(groupArray(`__t7`.`insight_element`)) AS `elements` FROM ',
      "SELECT `__t8`.`c0` AS `insight_actor`, multiIf(equals(`__t8`.`c1`, {p0:String}), 1, equals(`__t8`.`c1`, {p1:String}), 2, 0) AS `insight_code`, plus(multiply(minus(toUnixTimestamp64Micro(toTimeZone(`__t8`.`c2`, 'Europe/Berlin')), minus(toUnixTimestamp64Micro(toTimeZone({p2:DateTime64(6, 'UTC')}, 'Europe/Berlin')), 1)), 4), `insight_code`) AS `insight_element` FROM ",
      "SELECT if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c0`, `__row`.`event` AS `c1`, `__row`.`timestamp` AS `c2` FROM analytics.events AS `__row` LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0` FROM analytics.person_overrides GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t8` WHERE and(and(greaterOrEquals(`__t8`.`c2`, {p2:DateTime64(6, 'UTC')}), lessOrEquals(`__t8`.`c2`, {p3:DateTime64(6, 'UTC')})), in(`__t8`.`c1`, {p4:Array(String)}))) AS `__t7` GROUP BY `__t7`.`insight_actor`) AS `__t6`) AS `__t5`) AS `__t4`) AS `__t3`) AS `__t2`) AS `__t1`) AS `__t0` WHERE notEquals(`__t0`.`depth`, 0) LIMIT 101",
    ]);
    expect(params).toEqual({
      p0: 'view',
      p1: 'buy',
      p2: '2025-01-06 00:00:00.000000',
      p3: '2025-01-10 23:59:59.999999',
      p4: ['view', 'buy'],
    });
  });

  test('of trends walks each entry, and counts actors of each interval', () => {
    const { sql } = print({ result: { kind: 'trends', from: 0, to: 1, unit: 'week' } });
    expect(lines(sql)).toEqual([
      'SELECT `__a25` AS `bucket`, count() AS `entries`, countIf(has(`__t0`.`converted`, `__a25`)) AS `conversions` FROM ',
      'SELECT arrayDistinct(arrayFilter((`__x18`, `__x19`) -> `__x19`, `__t1`.`buckets`, arrayMap((`__x15`, `__x16`, `__x17`) -> and(bitTest(`__x15`, 0), lessOrEquals(minus(`__x17`, `__x16`), 60000000)), `__t1`.`codes`, `__t1`.`times`, `__t1`.`times`))) AS `entered`, arrayDistinct(arrayFilter((`__x23`, `__x24`) -> `__x24`, `__t1`.`buckets`, arrayMap((`__x20`, `__x21`, `__x22`) -> and(bitTest(`__x20`, 0), lessOrEquals(minus(`__x22`, `__x21`), 60000000)), `__t1`.`codes`, `__t1`.`times`, `__t1`.`to_0`))) AS `converted` FROM ',
      'SELECT `__t2`.`buckets` AS `buckets`, `__t2`.`codes` AS `codes`, `__t2`.`times` AS `times`, arrayReverseFill((`__x14`) -> notEquals(`__x14`, 0), arrayMap((`__x8`, `__x9`, `__x10`, `__x11`, `__x12`, `__x13`) -> multiIf(equals(`__x10`, 0), 9000000000000000, bitTest(`__x8`, 1), `__x11`, 0), `__t2`.`next_codes`, `__t2`.`next_codes`, `__t2`.`next_times`, arrayShiftLeft(`__t2`.`times`, 1, 0), `__t2`.`next_times`, `__t2`.`next_times`)) AS `to_0` FROM ',
      'SELECT `__t3`.`buckets` AS `buckets`, `__t3`.`codes` AS `codes`, `__t3`.`times` AS `times`, arrayShiftLeft(`__t3`.`times`, 1, 0) AS `next_times`, arrayShiftLeft(`__t3`.`codes`, 1, 0) AS `next_codes` FROM ',
      'SELECT `__t4`.`buckets` AS `buckets`, arrayMap((`__x7`) -> bitShiftRight(`__x7`, 2), `__t4`.`elements`) AS `times`, `__t4`.`elements` AS `codes` FROM ',
      'SELECT arraySort(groupArray(`__t5`.`insight_element`)) AS `elements`, arraySort(groupArray(`__t5`.`insight_bucket`)) AS `buckets` FROM ',
      "SELECT `__t6`.`c0` AS `insight_actor`, multiIf(equals(`__t6`.`c1`, {p0:String}), 1, equals(`__t6`.`c1`, {p1:String}), 2, 0) AS `insight_code`, plus(multiply(minus(toUnixTimestamp64Micro(toTimeZone(`__t6`.`c2`, 'Europe/Berlin')), minus(toUnixTimestamp64Micro(toTimeZone({p2:DateTime64(6, 'UTC')}, 'Europe/Berlin')), 1)), 4), `insight_code`) AS `insight_element`, toUnixTimestamp(toDateTime64(toStartOfWeek(toTimeZone(`__t6`.`c2`, 'Europe/Berlin'), 0), 6, 'Europe/Berlin')) AS `insight_bucket` FROM ",
      "SELECT if(`__moved`.`__found` = 1, assumeNotNull(`__moved`.`c0`), `__row`.`person_id`) AS `c0`, `__row`.`event` AS `c1`, `__row`.`timestamp` AS `c2` FROM analytics.events AS `__row` LEFT ANY JOIN (SELECT `distinct_id` AS `__key`, 1 AS `__found`, toNullable(tupleElement(argMax(tuple(`person_id`), `version`), 1)) AS `c0` FROM analytics.person_overrides GROUP BY `distinct_id`) AS `__moved` ON `__row`.`distinct_id` = `__moved`.`__key`) AS `__t6` WHERE and(and(greaterOrEquals(`__t6`.`c2`, {p2:DateTime64(6, 'UTC')}), lessOrEquals(`__t6`.`c2`, {p3:DateTime64(6, 'UTC')})), in(`__t6`.`c1`, {p4:Array(String)}))) AS `__t5` GROUP BY `__t5`.`insight_actor`) AS `__t4`) AS `__t3`) AS `__t2`) AS `__t1`) AS `__t0` ARRAY JOIN `__t0`.`entered` AS `__a25` GROUP BY `__a25` LIMIT 101",
    ]);
  });
});

describe('names and values of a request', () => {
  const hostile = "x' OR 1 = 1 --`\\{p0:String}";
  const variants: Partial<FunnelPlan>[] = [
    {
      steps: [
        { event: hostile, conditions: none },
        { event: 'buy', conditions: none },
      ],
    },
    { exclusions: [{ event: hostile, conditions: none, from: 0, to: 1 }] },
    {
      steps: [
        {
          event: 'view',
          conditions: {
            all: true,
            members: [{ subject: { of: 'event' }, key: hostile, test: { operator: 'in', values: [hostile] } }],
          },
        },
        { event: 'buy', conditions: none, first: 'named' },
      ],
    },
    {
      breakdown: {
        value: asStored(eventField('properties', hostile)),
        attribution: 'first_touch',
        valuesMax: 10,
      },
    },
    { actor: { id: eventField('properties', hostile), sparse: true } },
  ];

  test.each(variants.map((variant) => [Object.keys(variant)[0], variant] as const))(
    'are parameters, or quoted as a key: %s',
    (_, variant) => {
      const { sql } = print(variant);
      // A name that is a key of a map stands in quotes, with its own quotes as `\x27`.
      expect(sql.replaceAll(String.raw`'x\x27 OR 1 = 1 --\x60\x5C\x7Bp0:String\x7D'`, '')).not.toContain('OR 1 = 1');
    },
  );
});

test('a funnel of 20 steps that overlap and exclude is printed', () => {
  const steps = Array.from({ length: 20 }, () => ({ event: 'view', conditions: none }));
  const exclusions = [{ event: 'cancel', conditions: none, from: 0, to: 19 }];
  for (const order of ['ordered', 'strict', 'unordered'] as const)
    expect(print({ steps, exclusions, order }).sql).toContain('tupleElement');
});
