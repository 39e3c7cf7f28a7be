import { describe, expect, test } from '@jest/globals';
import { isUniqueViolation, translateDatabaseError } from './prisma-errors.ts';

const driver = (cause: object) => ({
  code: 'P2010',
  message: 'Raw query failed',
  meta: { driverAdapterError: { name: 'DriverAdapterError', cause } },
});

describe('a database that is down is a 503', () => {
  test.each([
    [driver({ kind: 'DatabaseNotReachable' })],
    [driver({ kind: 'postgres', originalCode: '57P01' })],
    [{ code: 'P1001', message: '' }],
    [{ code: 'P2028', message: 'Transaction API error: Unable to start a transaction in the given time.' }],
    [new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNREFUSED' }) })],
    [new Error('Connection terminated unexpectedly')],
  ])('%j', (error) => expect(translateDatabaseError(error)).toMatchObject({ code: 'unavailable', status: 503 }));

  test.each([
    [driver({ kind: 'postgres', originalCode: '22021' })],
    [new TypeError('x is not a function')],
    [null],
    ['text'],
  ])('%j is a fault of ours', (error) => {
    expect(translateDatabaseError(error)).toBeUndefined();
  });
});

test('a unique index is known by its code', () => {
  expect([
    isUniqueViolation({ message: '', code: 'P2002' }),
    isUniqueViolation(driver({ kind: 'UniqueConstraintViolation', originalCode: '23505' })),
    isUniqueViolation({ message: '', code: '23505' }),
    isUniqueViolation({ message: '', code: 'P2003' }),
    isUniqueViolation(null),
  ]).toEqual([true, true, true, false, false]);
});
