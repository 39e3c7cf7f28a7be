import { expect, test } from '@jest/globals';
import { closestName } from './closest-name.ts';

const names = ['daily-active-users', 'revenue_by_plan', 'funnel', 'event_counts'];

test.each([
  ['daily-active-user', 'daily-active-users'],
  ['Daily_Active_Users', 'daily-active-users'],
  ['revenue-by-plan', 'revenue_by_plan'],
  ['funel', 'funnel'],
  ['event_count', 'event_counts'],
  ['retention', undefined],
  ['x', undefined],
  ['x'.repeat(100_000), undefined],
])('"%.30s" probably means %s', (given, meant) => {
  expect(closestName(given, names)).toBe(meant);
});
