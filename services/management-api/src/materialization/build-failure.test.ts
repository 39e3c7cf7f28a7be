import { expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { buildLimits } from '../test/build-limits.ts';
import { describeFailure, OwnStatementError } from './build-failure.ts';

const engineError = (code: string, type: string) => Object.assign(new Error('words of the engine'), { code, type });

test('a failure is ours, and the build soon tried again, unless its query is to blame', () => {
  const isOurs = (error: unknown): boolean => describeFailure(error, buildLimits).isOurs;
  for (const error of [
    new AppError('throttled'),
    new AppError('unavailable'),
    new OwnStatementError('x', { cause: engineError('57', 'TABLE_ALREADY_EXISTS') }),
    new Error('x'),
  ])
    expect([error, isOurs(error)]).toEqual([error, true]);
  for (const error of [new AppError('invalid_input'), engineError('43', 'ILLEGAL_TYPE_OF_ARGUMENT')])
    expect([error, isOurs(error)]).toEqual([error, false]);
});

test('no words of a statement of ours are shown', () => {
  const error = new OwnStatementError('x', { cause: engineError('42501', 'any') });
  expect(describeFailure(error, buildLimits).text).toBe(new AppError('error').message);
});
