import { describe, expect, test } from '@jest/globals';
import { compileFilters } from './compile-filters.ts';
import { EventReader } from './event-reader.ts';
import { readFilters } from './read-filters.ts';

// contract/orgs-errors 3.2, contract/decisions 104.

function matches(filters: unknown, properties: Record<string, unknown>): boolean {
  return compileFilters(readFilters(filters))(new EventReader(properties));
}

/** Whether a property of this value matches; undefined: there is none. */
function holds(operator: string, value: unknown, property: unknown): boolean {
  const properties = property === undefined ? {} : { p: property };
  return matches({ type: 'AND', values: [{ key: 'p', operator, value }] }, properties);
}

describe('operators', () => {
  test.each<[operator: string, value: unknown, matching: unknown[], others: unknown[]]>([
    ['exact', 'a', ['a', ['b', 'a']], ['A', ' a', 'ab', ['A'], [['a']], { a: 'a' }, null, undefined, 1]],
    ['exact', 5, [5, '5', [5]], [5.5, '5.0', true, null]],
    ['exact', true, [true, 'true', [true]], [false, 1, 'True']],
    ['exact', ['a', 2], ['a', 2, '2', ['x', 2]], ['b', ['x']]],
    ['in', ['a', 'b'], ['a', ['c', 'b']], ['c', undefined]],
    ['icontains', 'Loop', ['ResizeObserver loop', ['x', 'LOOP'], 'lOoP'], ['loo', null, undefined, { loop: 1 }]],
    ['icontains', ['a', 'b'], ['xA', 'B'], ['c']],
    ['icontains', 'É', ['café'], ['cafe']],
    ['icontains', 12, [3123, '12'], [102]],
    ['regex', '^Script err', ['Script error.', ['x', 'Script error.']], ['a Script error', 'script error', undefined]],
    ['regex', '(?i)script', ['SCRIPT'], ['scrip']],
    ['regex', ['^a', 'b$'], ['ax', 'xb'], ['xax']],
    ['regex', String.raw`^\d+$`, [12, '12'], [1.5, true]],
    ['gt', 5, [6, '5.5', '10', [1, 6]], [5, '5', 'x', true, '6e0', ' 6', '0x10', null, undefined, { a: 6 }]],
    ['gt', '5', [6, '6'], [5, '05']],
    ['gte', 5, [5, '5.0', '+5'], [4.9, '4']],
    ['lt', 5, [4, '-7', '04'], [5, '', null, 'NaN']],
    ['lte', 5, [5, '5'], ['5.1']],
    ['between', [1, '3'], [1, 3, '2.5', [9, 2]], [0.9, '3.1', 'x', undefined]],
    ['between', [3, 1], [], [1, 2, 3]],
    ['is_set', undefined, ['', 0, false, [], {}, [null]], [null, undefined]],
    [
      'is_date_exact',
      '2026-01-31',
      ['2026-01-31', '2026-01-31T23:59:59.999Z', '2026-02-01T01:00:00+02:00'],
      ['2026-02-01', '2026-01-31x', 20260131, ''],
    ],
    ['is_date_exact', '2026-01-31T12:00:00Z', ['2026-01-31', '2026-01-31T00:00:00Z'], ['2026-02-01T00:00:00Z']],
    [
      'is_date_before',
      '2026-01-31',
      ['2026-01-30', '2026-01-30T23:59:59.999Z', '2026-01-31T00:30:00+0100'],
      ['2026-01-31', '2026-01-31T00:00:00Z', 'x'],
    ],
    [
      'is_date_before',
      '2026-01-31T12:00:00Z',
      ['2026-01-31T11:59:59Z', '2026-01-30'],
      ['2026-01-31', '2026-01-31T12:00:00Z'],
    ],
    ['is_date_after', '2026-01-31', ['2026-02-01', '2026-02-01T00:00:00Z'], ['2026-01-31', '2026-01-31T23:59:59.999Z']],
    [
      'is_date_after',
      '2026-01-31T12:00',
      ['2026-01-31 12:00:00.001Z', '2026-02-01'],
      ['2026-01-31', '2026-01-31T12:00:00Z', 1e15],
    ],
  ])('%s %j', (operator, value, matching, others) => {
    expect(matching.filter((property) => !holds(operator, value, property))).toEqual([]);
    expect(others.filter((property) => holds(operator, value, property))).toEqual([]);
  });

  test.each([
    ['is_not', 'exact', 'a'],
    ['not_icontains', 'icontains', 'a'],
    ['not_regex', 'regex', 'a'],
    ['not_in', 'in', ['a']],
    ['not_between', 'between', [1, 2]],
    ['is_not_set', 'is_set', undefined],
  ])('%s is true where the property is missing, and false where %s holds', (negative, positive, value) => {
    expect(holds(negative, value, undefined)).toBe(true);
    expect([holds(negative, value, ['a', 1]), holds(positive, value, ['a', 1])]).toEqual([false, true]);
  });

  test('names of properties are no paths and no members of objects', () => {
    const exact = (key: string): unknown => ({ type: 'AND', values: [{ key, value: 'a' }] });
    expect(matches(exact('a.b'), { 'a.b': 'a' })).toBe(true);
    expect(matches(exact('a.b'), { a: { b: 'a' } })).toBe(false);
    const isSet = { type: 'AND', values: [{ key: 'constructor', operator: 'is_set' }] };
    expect([matches(isSet, {}), matches(isSet, { constructor: 1 })]).toEqual([false, true]);
  });
});

describe('groups', () => {
  const is = (value: string): unknown => ({ key: 'p', value });

  test.each<[string, unknown, boolean]>([
    ['AND of what holds', { type: 'AND', values: [is('a'), is('a')] }, true],
    ['AND with one that does not', { type: 'AND', values: [is('a'), is('b')] }, false],
    ['OR with one that does', { type: 'OR', values: [is('b'), is('a')] }, true],
    ['OR of none that does', { type: 'OR', values: [is('b'), is('c')] }, false],
    ['an empty AND', { type: 'AND', values: [] }, true],
    ['an empty OR', { type: 'OR', values: [] }, true],
    ['empty groups in a group', { type: 'OR', values: [{ type: 'AND', values: [] }] }, true],
    ['an empty group beside a filter', { type: 'AND', values: [{ type: 'OR', values: [] }, is('b')] }, false],
    ['a group in a group', { type: 'AND', values: [is('a'), { type: 'OR', values: [is('b'), is('a')] }] }, true],
  ])('%s', (_name, filters, expected) => expect(matches(filters, { p: 'a' })).toBe(expected));
});
