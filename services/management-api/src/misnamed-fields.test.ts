import { describe, expect, test } from '@jest/globals';
import { Object as ObjectType, Optional, String as StringType } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { validator } from '@millrace/http/validator.ts';
import { misnamedFields } from './misnamed-fields.ts';

const check = validator(
  ObjectType(
    { label: Optional(StringType()), expires_at: Optional(StringType()) },
    misnamedFields({ label: ['name'], expires_at: ['expires', 'ttl'] }),
  ),
);

describe('a field that would have no effect (contract/decisions 10)', () => {
  test.each([
    ['expires', 'expires_at'],
    ['Expires', 'expires_at'],
    ['expiresAt', 'expires_at'],
    ['expires-at', 'expires_at'],
    ['expire_at', 'expires_at'],
    ['exipres_at', 'expires_at'],
    ['ttl', 'expires_at'],
    ['name', 'label'],
    ['lable', 'label'],
  ])('%s was meant for %s', (given, meant) =>
    expect(() => check({ [given]: null })).toThrow(
      new AppError('invalid_input', { attr: given, detail: `"${given}" is not a known field. Write ${meant}.` }),
    ),
  );

  test.each(['table', 'created_at', 'ttls', 'names', 'id', '', 'x'.repeat(50_000), '__proto__', 'toString'])(
    '%.20s is of another client, and ignored',
    (given) => expect(check(JSON.parse(`{${JSON.stringify(given)}: 1}`))).toBeUndefined(),
  );

  test('what is ours passes', () => expect(check({ label: 'x', expires_at: 'y' })).toBeUndefined());
});
