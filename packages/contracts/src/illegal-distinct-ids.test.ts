import { describe, expect, test } from '@jest/globals';
import { isIllegalDistinctId } from './illegal-distinct-ids.ts';

describe('distinct ids that name no person (contract/capture 2.4)', () => {
  test.each([
    'anonymous',
    'Anonymous',
    'GUEST',
    'distinctId',
    'distinct_id',
    'id',
    'not_authenticated',
    'email',
    'undefined',
    'true',
    'FALSE',
    '[object Object]',
    'NaN',
    'None',
    'none',
    'null',
    '0',
    'anonymous-user',
    'backend',
    'system',
    'user',
    '00000000-0000-0000-0000-000000000000',
    '',
    ' ',
    '""',
    "''",
    '"anonymous"',
    "'null'",
    ' "0" ',
    '"00000000-0000-0000-0000-000000000000"',
  ])('%j is illegal', (id) => expect(isIllegalDistinctId(id)).toBe(true));

  test.each([
    'ada',
    '1',
    '00',
    'user1',
    'user-1',
    'guest@example.com',
    'ids',
    '"ada"',
    '"null',
    "null'",
    'x'.repeat(500),
    ' '.repeat(500) + 'ada',
  ])('%j is fine', (id) => expect(isIllegalDistinctId(id)).toBe(false));
});
