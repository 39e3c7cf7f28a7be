import { describe, expect, test } from '@jest/globals';
import { parseSelect } from '../../parse.ts';
import { plain } from '../../types.ts';
import { planMaterialization } from '../plan-materialization.ts';
import type { PlannedKey, PlannedVariable } from '../plan.ts';
import { servesValue } from './serves-value.ts';

function keyOf(
  text: string,
  type: PlannedVariable['type'] = 'String',
  overrides: Readonly<Record<string, string>> | null = null,
): PlannedKey {
  const planned = planMaterialization(parseSelect(text), [{ name: 'x', type }], overrides);
  const [key] = planned.ok ? planned.plan.keys : [];
  if (!key) throw new Error(`no key in ${text}`);
  return key;
}

const served = (key: PlannedKey, values: readonly unknown[], type?: Parameters<typeof servesValue>[2]): unknown[] =>
  values.filter((value) => servesValue(key, value, type, 'UTC'));

describe('values that the table answers as the query would', () => {
  const values = ['a', '', null, 5, true, ['a']];

  test.each<[promise: string, query: string, type: PlannedVariable['type'], served: unknown[]]>([
    [
      'rows: all but lists',
      'SELECT event FROM events WHERE properties.a = {variables.x}',
      'Any',
      ['a', '', null, 5, true],
    ],
    [
      'groups that are put together',
      'SELECT count() FROM events WHERE properties.a = {variables.x}',
      'Any',
      ['a', '', null, 5, true],
    ],
    [
      'one group of a text: not what equals several',
      'SELECT uniq(event) FROM events WHERE properties.a = {variables.x}',
      'Any',
      ['a', '', null],
    ],
    ['one group of a number', 'SELECT uniq(event) FROM events WHERE properties.a = {variables.x}', 'Number', [null, 5]],
    [
      'a column that is no property',
      'SELECT uniq(event) FROM events WHERE event = {variables.x}',
      'Any',
      ['a', '', null, 5, true],
    ],
    [
      'no filter is no single group',
      "SELECT uniq(event) FROM events WHERE coalesce({variables.x}, '') = '' OR event = {variables.x}",
      'String',
      ['a', 5, true],
    ],
  ])('%s', (_, query, type, expected) => expect(served(keyOf(query, type), values)).toEqual(expected));

  test('0 and -0 are stored apart', () => {
    const key = keyOf('SELECT uniq(event) FROM events WHERE toFloat(distinct_id) = {variables.x}', 'Number');
    expect(served(key, [0, '0', 1], plain('float', true))).toEqual([1]);
    expect(served(key, [0, '0', 1], plain('integer', true))).toEqual([0, '0', 1]);
  });

  test('a function of the value may be 0, and something where the value is NULL', () => {
    const query = (value: string) => `SELECT uniq(event) FROM events WHERE toFloat(distinct_id) = ${value}`;
    const key = keyOf(query('{variables.x} - 1'), 'Number');
    expect(served(key, [0, 1, 2], plain('float', true))).toEqual([]);
    expect(served(key, [0, 1, 2], plain('integer', true))).toEqual([0, 1, 2]);
    expect(served(keyOf(query('ifNull({variables.x}, 0)'), 'Number'), [null], plain('float', true))).toEqual([]);
    expect(served(keyOf(query('{variables.x}'), 'Number'), [null], plain('float', true))).toEqual([null]);
  });

  describe('bounds of cut times: the first moment of a bucket, for >= and < (contract/endpoints 6.4)', () => {
    const bounds = ['2026-03-01', '2026-03-01T12:00:00Z', '2026-03-01T12:00:01Z', 'no time', '', 5, null];
    const [day, hour] = [bounds[0], bounds[1]];

    test.each<[condition: string, override: string | null, served: unknown[]]>([
      ['timestamp >= {variables.x}', null, [day, null]],
      ['timestamp < {variables.x}', null, [day, null]],
      ['{variables.x} <= timestamp', null, [day, null]],
      ['timestamp >= {variables.x}', 'hour', [day, hour, null]],
      ['timestamp > {variables.x}', null, [null]],
      ['timestamp <= {variables.x}', 'hour', [null]],
      ['timestamp >= toDateTime({variables.x})', null, [day]],
      ['timestamp < toDate({variables.x})', null, [day]],
      ['timestamp >= toDateTime({variables.x}) - INTERVAL 1 DAY', null, []],
      ['timestamp >= ifNull({variables.x}, now())', null, []],
    ])('%s, by %s', (condition, override, expected) => {
      const key = keyOf(
        `SELECT count() FROM events WHERE ${condition}`,
        'Any',
        override ? { timestamp: override } : {},
      );
      expect(served(key, bounds)).toEqual(expected);
    });

    test('rows that are stored one by one are not cut: every bound is exact', () => {
      expect(served(keyOf('SELECT event FROM events WHERE timestamp > {variables.x}'), bounds)).toEqual(bounds);
    });
  });

  test('a property that is grouped by as a value of its learned type is asked for such values alone', () => {
    const key = keyOf(
      'SELECT properties.a AS x, count() FROM events WHERE properties.a LIKE {variables.x} GROUP BY x',
      'Any',
    );
    const asked = ['5', 5, true];
    expect(served(key, asked, { ...plain('text', true), property: true, learned: 'Numeric' })).toEqual(asked);
    expect(served(key, asked, { ...plain('float', true), learned: 'Numeric' })).toEqual([5]);
    expect(served(key, asked, { ...plain('boolean', true), learned: 'Boolean' })).toEqual([true]);
    expect(served(key, asked, { ...plain('datetime', true), learned: 'DateTime' })).toEqual([]);
  });
});
