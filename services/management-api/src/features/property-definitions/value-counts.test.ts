import { expect, test } from '@jest/globals';
import { countUnfit } from './value-counts.ts';

// The promise to members: how many values a type does not fit is shown with the property (contract/decisions 74).
test('values of other kinds do not fit a type; all fit a text, and a property that is not settled', () => {
  const counts = { numbers: 1, booleans: 2, times: 4, texts: 8, lists: 16, objects: 32 };
  const types = ['Numeric', 'Boolean', 'DateTime', 'List', 'String', null] as const;
  expect(types.map((type) => countUnfit(type, counts))).toEqual([62, 61, 59, 47, 0, 0]);
});
