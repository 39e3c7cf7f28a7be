import { expect, test } from '@jest/globals';
import { compileRules, droppingRule } from './suppression-rules.ts';

const kinds: ((index: number) => object)[] = [
  (index) => ({ key: '$exception_types', operator: 'exact', value: [`Error${index}`, 'Other'] }),
  (index) => ({ key: '$exception_values', operator: 'icontains', value: `cannot load ${index}` }),
  (index) => ({ key: '$exception_values', operator: 'regex', value: `timeout of \\d+ms in ${index}` }),
  (index) => ({ key: '$browser_version', operator: 'lt', value: -index }),
];
const rules = compileRules(
  Array.from({ length: 1_000 }, (_, index) => ({
    id: String(index),
    samplingRate: 1,
    filters: { type: 'AND', values: [{ key: '$lib', value: 'web' }, kinds[index % kinds.length]?.(index)] },
  })),
);
const event = (index: number) => ({
  uuid: '01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d',
  properties: {
    $lib: 'web',
    $browser_version: 120,
    $exception_types: ['TypeError', 'Error'],
    $exception_values: [
      `Cannot read properties of undefined (reading 'order${index}')`,
      'The request has failed with status 500',
    ],
  },
});

test('a thousand rules take at most a millisecond an event', () => {
  expect(rules.broken).toEqual([]);
  const times = Array.from({ length: 1_000 }, (_, index) => {
    const one = event(index);
    const started = performance.now();
    expect(droppingRule(rules, one)).toBeNull();
    return performance.now() - started;
  }).sort((a, b) => a - b);
  expect(times[500]).toBeLessThan(1);
});
