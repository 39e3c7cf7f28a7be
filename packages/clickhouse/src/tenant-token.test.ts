import { expect, test } from '@jest/globals';
import { tenantToken } from './tenant-token.ts';

test('the token is the team and the hash that the row policies compute', () => {
  expect(tenantToken('k', 7)).toBe('7.0a3ffcfb8c8ac4940b9f1bcd6d7ef4d257e98da54f4b240179dd843bd8fecc33');
  expect(tenantToken('k', 7)).not.toBe(tenantToken('other', 7));
  for (const odd of [NaN, 1.5, 2 ** 53, Infinity]) expect(() => tenantToken('k', odd)).toThrow(RangeError);
});
