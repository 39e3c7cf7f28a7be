import { expect, test } from '@jest/globals';
import { sumOf } from './consumer-figures.ts';

test('a counter is summed over its labels, its namesakes apart, and one that is not there is no zero', () => {
  const text =
    '# HELP a_total x\n# TYPE a_total counter\na_total{what="b c"} 3\na_total{what="d"} 1.5e1\na_total_more 100\n# TYPE none_total counter\n';
  expect([sumOf('a_total', text), sumOf('none_total', text)]).toEqual([18, 0]);
  expect(() => sumOf('a_tot', text)).toThrow(/a_tot/);
});
