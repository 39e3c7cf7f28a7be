import { expect, test } from '@jest/globals';
import { filterOperators } from './filter-operators.ts';
import { FilterError } from './filter-error.ts';
import { filterTypes, readProperties } from './property-filters.ts';

const read = (filter: object) => readProperties([filter], { nowMs: 0, timeZone: 'UTC' }, 'properties');
const valueOf = (operator: string): string | string[] => {
  if (operator.endsWith('between')) return ['1', '2'];
  if (operator.startsWith('is_date')) return '2026-01-31';
  return operator === 'semver_wildcard' ? '1.2.*' : '1';
};

test.each(filterOperators)('the operator %s is read', (operator) =>
  expect(read({ key: 'a', operator, value: valueOf(operator) })).toHaveLength(1),
);

test.each(filterTypes)('the type %s is read', (type) =>
  expect(read({ key: 'text', type, value: '1', group_type_index: 0 })).toHaveLength(1),
);

test.each([
  { key: 'a', operator: 'equals', value: '1' },
  { key: 'a', operator: 'constructor', value: '1' },
  { key: 'a', type: 'cohort', value: '1' },
  { key: 'a', type: 'constructor', value: '1' },
  { key: 'a', type: ['event'], value: '1' },
  { key: 'a', type: { toString: 1, valueOf: 1 }, value: '1' },
  { key: 'a', type: 'group', value: '1' },
  { key: 'a', type: 'group', value: '1', group_type_index: 5 },
  { key: 'a', type: 'group', value: '1', group_type_index: 1.5 },
])('%j is refused', (filter) => expect(() => read(filter)).toThrow(FilterError));
