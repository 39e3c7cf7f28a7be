import { expect, test } from '@jest/globals';
import { formatParameter } from './format-parameter.ts';

test('values are written as ClickHouse reads parameters', () => {
  expect([null, true, false, 1.5, -0.25, 2n ** 63n - 1n].map(formatParameter)).toEqual([
    '\\N',
    '1',
    '0',
    '1.5',
    '-0.25',
    '9223372036854775807',
  ]);
  expect(formatParameter("a\tb\nc\rd'e\\f")).toBe("a\\tb\\nc\\rd\\'e\\\\f");
  expect(formatParameter(["it's", null, true, false, 2, ['x']])).toBe("['it\\'s',NULL,TRUE,FALSE,2,['x']]");
});
