import { describe, expect, test } from '@jest/globals';
import { parseSelect } from '../../parse.ts';
import { plain } from '../../types.ts';
import { planMaterialization } from '../plan-materialization.ts';
import type { PlannedKey, PlannedVariable } from '../plan.ts';
import { servesValue } from './serves-value.ts';

function keyOf(text: string, type: PlannedVariable['type'] = 'String'): PlannedKey {
  const planned = planMaterialization(parseSelect(text), [{ name: 'x', type }], null);
  const [key] = planned.ok ? planned.plan.keys : [];
  if (!key) throw new Error(`no key in ${text}`);
  return key;
}

const served = (key: PlannedKey, values: readonly unknown[], type?: Parameters<typeof servesValue>[2]): unknown[] =>
  values.filter((value) => servesValue(key, value, type));

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
