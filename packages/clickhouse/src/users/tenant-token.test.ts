import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { tenantHeaders } from './tenant-token.ts';

test('the token is the hash that the row policies compute of the team', () => {
  const token = createHash('sha256').update('k:team:7:k').digest('hex').toUpperCase();
  expect(tenantHeaders('k', 7)).toEqual({ 'x-millrace-team': '7', 'x-millrace-team-token': token });
  expect(tenantHeaders('k', 7)).not.toEqual(tenantHeaders('other', 7));
  for (const odd of [NaN, 1.5, 2 ** 53, Infinity]) expect(() => tenantHeaders('k', odd)).toThrow(RangeError);
});
