import { describe, expect, test } from '@jest/globals';
import { AppError, errorBody, errorHeaders } from './errors.ts';

describe('an error as it is sent (contract/orgs-errors 1.4, contract/decisions 38)', () => {
  test.each<[AppError, Record<string, string>]>([
    [new AppError('invalid_input'), {}],
    [new AppError('not_authenticated'), { 'www-authenticate': 'Bearer' }],
    [new AppError('authentication_failed'), { 'www-authenticate': 'Bearer' }],
    [new AppError('permission_denied'), {}],
    [new AppError('throttled'), { 'retry-after': '1' }],
    [new AppError('throttled', { retryAfterS: 2.1 }), { 'retry-after': '3' }],
    [new AppError('throttled', { retryAfterS: 0 }), { 'retry-after': '1' }],
    [new AppError('query_capacity'), { 'retry-after': '1' }],
    [new AppError('unavailable', { retryAfterS: 5 }), { 'retry-after': '5' }],
    [new AppError('error'), {}],
    [new AppError('method_not_allowed', { headers: { allow: 'GET' } }), { allow: 'GET' }],
  ])('%p has the headers %j', (error, headers) => expect(errorHeaders(error)).toEqual(headers));

  test('has the sentence of its code unless it has one of its own, and nothing of its cause', () => {
    expect(errorBody(new AppError('not_found', { cause: new Error('secret') }))).toEqual({
      type: 'invalid_request',
      code: 'not_found',
      detail: 'Not found.',
      attr: null,
    });
    const details = {
      detail: 'Own.',
      attr: 'a__b',
      publicCode: 'type_mismatch',
      bare: true,
      fields: { current_version: 2 },
    };
    expect(errorBody(new AppError('query_error', details))).toEqual({
      type: 'validation_error',
      code: 'type_mismatch',
      detail: 'Own.',
      attr: 'a__b',
      error: 'Own.',
      current_version: 2,
    });
  });
});
