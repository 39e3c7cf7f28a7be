import { expect, test } from '@jest/globals';
import { clientRules } from './client-rules.ts';

// contract/orgs-errors 5.2: the safe subset of rules for client libraries.

const filter = (change: object = {}): object => ({
  key: '$exception_types',
  operator: 'exact',
  value: 'TypeError',
  ...change,
});
const selected = (filters: unknown, samplingRate = 1) => clientRules([{ id: 'a', filters, samplingRate }]);
const all = (...values: unknown[]): unknown => ({ type: 'AND', values });

test('flat groups of texts about types and messages, in the form of the settings', () => {
  const values = [
    filter({ type: 'event', label: 'x' }),
    filter({ key: '$exception_values', operator: 'not_icontains', value: ['a', 'b'] }),
  ];
  expect(selected({ type: 'OR', values })).toEqual([
    {
      type: 'OR',
      values: [
        { key: '$exception_types', type: 'event', operator: 'exact', value: 'TypeError' },
        { key: '$exception_values', type: 'event', operator: 'not_icontains', value: ['a', 'b'] },
      ],
    },
  ]);
});

test.each<[string, unknown, number]>([
  ['no filter: a client would send nothing at all', all(), 1],
  ['a group in it', all(filter(), all(filter())), 1],
  ['an empty group in it', all(filter(), all()), 1],
  ['another key', all(filter({ key: '$lib' })), 1],
  ['another operator', all(filter({ operator: 'regex' })), 1],
  ['a number', all(filter({ value: 5 })), 1],
  ['a sample', all(filter()), 0.5],
  ['what cannot be read', 'x', 1],
])('%s: not for clients', (_name, filters, rate) => expect(selected(filters, rate)).toEqual([]));

test('the order stays', () => {
  const rules = ['A', 'B'].map((value) => ({ id: value, filters: all(filter({ value })), samplingRate: 1 }));
  expect(clientRules(rules).map(({ values }) => values[0]?.value)).toEqual(['A', 'B']);
});
