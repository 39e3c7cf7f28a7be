import { ClickHouseError } from '@clickhouse/client';
import { describe, expect, test } from '@jest/globals';
import { classifyInsertError, ClickhouseUnavailableError, RowsRefusedError } from './insert-errors.ts';

const response = (code: string, type: string): ClickHouseError =>
  new ClickHouseError({ code, type, message: 'secret value' });

describe('what a failed insert means', () => {
  test.each([
    ['6', 'CANNOT_PARSE_TEXT'],
    ['26', 'CANNOT_PARSE_QUOTED_STRING'],
    ['27', 'CANNOT_PARSE_INPUT_ASSERTION_FAILED'],
    ['38', 'CANNOT_PARSE_DATE'],
    ['41', 'CANNOT_PARSE_DATETIME'],
    ['53', 'TYPE_MISMATCH'],
    ['69', 'ARGUMENT_OUT_OF_BOUND'],
    ['70', 'CANNOT_CONVERT_TYPE'],
    ['72', 'CANNOT_PARSE_NUMBER'],
    ['117', 'INCORRECT_DATA'],
    ['131', 'TOO_LARGE_STRING_SIZE'],
    ['349', 'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN'],
    ['376', 'CANNOT_PARSE_UUID'],
    ['407', 'DECIMAL_OVERFLOW'],
    ['469', 'VIOLATED_CONSTRAINT'],
    ['691', 'UNKNOWN_ELEMENT_OF_ENUM'],
  ])('%s %s will never succeed', (code, type) => {
    expect(classifyInsertError('analytics.events', response(code, type))).toBeInstanceOf(RowsRefusedError);
  });

  test.each([
    ['252', 'TOO_MANY_PARTS'],
    ['241', 'MEMORY_LIMIT_EXCEEDED'],
    ['159', 'TIMEOUT_EXCEEDED'],
    ['60', 'UNKNOWN_TABLE'],
    ['516', 'AUTHENTICATION_FAILED'],
    ['999', 'KEEPER_EXCEPTION'],
    ['1002', 'UNKNOWN_EXCEPTION'],
    ['33', 'CANNOT_READ_ALL_DATA'],
  ])('%s %s may succeed later, so nothing is given up', (code, type) => {
    expect(classifyInsertError('analytics.events', response(code, type))).toBeInstanceOf(ClickhouseUnavailableError);
  });

  test('so may everything that is no response of ClickHouse', () => {
    expect(classifyInsertError('analytics.events', new Error('socket hang up'))).toBeInstanceOf(
      ClickhouseUnavailableError,
    );
  });

  test('the message names the code and never the data', () => {
    expect(classifyInsertError('analytics.events', response('53', 'TYPE_MISMATCH')).message).toBe(
      'analytics.events: ClickHouse refuses rows (TYPE_MISMATCH 53)',
    );
  });
});
