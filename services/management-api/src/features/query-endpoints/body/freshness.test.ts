import { expect, test } from '@jest/globals';
import { refuseFreshness } from './freshness.ts';

test.each([
  [900, [900, 86_400, 604_800], [0, 10, 60, 30, 901]],
  [60, [60, 900], [0, 10, 30]],
  [30, [60, 900], [0, 10, 30]],
  [10, [10, 60, 900], [0]],
  [0, [0, 10, 60, 900, 604_800], [1, 604_801]],
])('where %i s is the least that the operator allows: %j, and none of %j (contract/endpoints 5)', (min, good, bad) => {
  for (const seconds of [...good, null, undefined]) expect(() => refuseFreshness(seconds, min)).not.toThrow();
  for (const seconds of bad) expect(() => refuseFreshness(seconds, min)).toThrow('is not a valid choice');
});

test('the sentence lists what may be chosen here', () => {
  expect(() => refuseFreshness(5, 10)).toThrow(
    '"5" is not a valid choice. Choose one of: 10, 60, 900, 1800, 3600, 21600, 43200, 86400, 604800.',
  );
});
