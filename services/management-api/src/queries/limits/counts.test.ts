import { expect, test } from '@jest/globals';
import { createCounts } from './counts.ts';

test('names are counted apart, up and down to nothing', () => {
  const counts = createCounts<string>();
  counts.add('a');
  counts.add('a');
  counts.add('b');
  counts.remove('a');
  expect([counts.of('a'), counts.of('b'), counts.of('c')]).toEqual([1, 1, 0]);
  counts.remove('a');
  expect(counts.of('a')).toBe(0);
});
