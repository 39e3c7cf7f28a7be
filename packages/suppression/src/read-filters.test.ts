import { describe, expect, test } from '@jest/globals';
import { compileFilters } from './compile-filters.ts';
import { FilterError } from './filters.ts';
import { readFilters } from './read-filters.ts';

// contract/orgs-errors 3.2, contract/decisions 103.

const and = (...values: unknown[]): unknown => ({ type: 'AND', values });
const leaf = (change: object = {}): unknown => ({
  key: '$lib',
  type: 'event',
  operator: 'exact',
  value: 'web',
  ...change,
});

/** The kind of the refusal; null: they are taken. */
function kindOf(filters: unknown): string | null {
  try {
    compileFilters(readFilters(filters));
    return null;
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    expect(error.message).toMatch(/^[A-Z].*\.$/s);
    return error.kind;
  }
}

function nested(depth: number): unknown {
  let filters = and();
  for (let made = 1; made < depth; made++) filters = and(filters);
  return filters;
}

describe('filters', () => {
  test.each<[string, unknown]>([
    ['no filter at all', and()],
    ['a filter without type and operator', and({ key: 'a', value: 1 })],
    ['a label', and(leaf({ label: 'x' }), leaf({ label: null }))],
    ['a list', and(leaf({ value: ['a', 1, true] }))],
    [
      'is_set, whatever its value',
      and(leaf({ operator: 'is_set', value: null }), leaf({ operator: 'is_not_set', value: [] })),
    ],
    ['groups in groups', { type: 'OR', values: [and(leaf()), nested(9)] }],
    [
      'numbers as texts',
      and(leaf({ operator: 'between', value: ['-1', '2.5'] }), leaf({ operator: 'gt', value: '5' })),
    ],
    ['dates', and(leaf({ operator: 'is_date_before', value: '2026-02-28 12:00' }))],
    ['a pattern', and(leaf({ operator: 'regex', value: '(?i)^a.*b$' }))],
  ])('%s: taken', (_name, filters) => expect(kindOf(filters)).toBeNull());

  test.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a text', 'a'],
    ['no values', {}],
    ['values alone', { values: [] }],
    ['values that are no list', { type: 'AND', values: {} }],
    ['another type of group', { type: 'XOR', values: [] }],
    ['an unknown member of a group', { ...(and() as object), id: 1 }],
    ['an unknown member of a filter', and(leaf({ negation: true }))],
    ['a filter that is a text', and('a')],
    ['a filter without key', and({ operator: 'exact', value: 1 })],
    ['an empty key', and(leaf({ key: '' }))],
    ['a key that is a number', and(leaf({ key: 1 }))],
    ['an unknown operator', and(leaf({ operator: 'toString' }))],
    ['a type that is no text', and(leaf({ type: 1 }))],
    ['a label that is no text', and(leaf({ label: 1 }))],
    ['no value', and({ key: 'a', operator: 'exact' })],
    ['an empty list', and(leaf({ value: [] }))],
    ['null in a list', and(leaf({ value: [null] }))],
    ['an object as value', and(leaf({ value: {} }))],
    ['too deep', nested(11)],
    ['very deep', nested(5_000)],
    ['too many', and(...Array.from({ length: 201 }, () => leaf()))],
    ['too many values', and(leaf({ value: Array.from({ length: 1_001 }, () => 1) }))],
    ['a value that is too long', and(leaf({ value: 'x'.repeat(10_001) }))],
    ['a key that is too long', and(leaf({ key: 'x'.repeat(1_001) }))],
    ['too long together', and(leaf({ value: Array.from({ length: 10 }, () => 'x'.repeat(9_000)) }))],
  ])('%s: no filters', (_name, filters) => expect(kindOf(filters)).toBe('invalid'));

  test.each<[string, unknown]>([
    ['a cohort', and(leaf({ type: 'cohort', operator: 'in', value: 7 }))],
    ['a person', and(leaf({ type: 'person' }))],
    ['between with one value', and(leaf({ operator: 'between', value: [1] }))],
    ['between with three', and(leaf({ operator: 'not_between', value: [1, 2, 3] }))],
    ['a number that is none', and(leaf({ operator: 'gt', value: 'x' }))],
    ['a truth value as number', and(leaf({ operator: 'lte', value: true }))],
    ['a date that is none', and(leaf({ operator: 'is_date_exact', value: '2026-02-30' }))],
    ['a relative date', and(leaf({ operator: 'is_date_after', value: '-7d' }))],
    ['an hour that is none', and(leaf({ operator: 'is_date_after', value: '2026-01-01T25:00' }))],
    ['an open pattern', and(leaf({ operator: 'regex', value: '(' }))],
    ['a pattern that looks around', and(leaf({ operator: 'not_regex', value: '(?=a)' }))],
    ['a pattern that looks back', and(leaf({ operator: 'regex', value: String.raw`(a)\1` }))],
    ['a pattern that is too large', and(leaf({ operator: 'regex', value: String.raw`\pL{900}` }))],
    ['a pattern that is too long', and(leaf({ operator: 'regex', value: 'x'.repeat(1_001) }))],
  ])('%s: cannot be compiled', (_name, filters) => expect(kindOf(filters)).toBe('uncompilable'));
});
