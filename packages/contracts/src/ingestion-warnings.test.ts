import { expect, test } from '@jest/globals';
import { warningKey } from './ingestion-warnings.ts';

test('warnings of a type differ by distinct id, group or quota, and errors differ from changes', () => {
  const all = [
    { distinctId: 'ann', resource: 'events' },
    { groupKey: 'acme' },
    { resource: 'events' },
    { event: 'e', distinctId: 5 },
  ];
  expect(all.map((details) => warningKey({ details }))).toEqual([':ann', ':acme', ':events', ':']);
  expect(warningKey({ details: { distinctId: 'ann' }, severity: 'error' })).toBe('error:ann');
});
