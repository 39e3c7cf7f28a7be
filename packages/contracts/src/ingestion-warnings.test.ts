import { expect, test } from '@jest/globals';
import { warningKey } from './ingestion-warnings.ts';

test('what tells warnings of a type apart: who they are about, or the quota; and a refusal from what was only mended', () => {
  const all = [
    { distinctId: 'ann', resource: 'events' },
    { groupKey: 'acme' },
    { resource: 'events' },
    { event: 'e', distinctId: 5 },
  ];
  expect(all.map((details) => warningKey({ details }))).toEqual([':ann', ':acme', ':events', ':']);
  expect(warningKey({ details: { distinctId: 'ann' }, severity: 'error' })).toBe('error:ann');
});
