import { describe, expect, test } from '@jest/globals';
import { tenantTokenError } from '@millrace/clickhouse/users/tenant-token.ts';
import { errorBody } from '@millrace/http/errors/errors.ts';
import { engineFailure } from './engine-errors.ts';

const failure = (code: number, name = 'X', message = 'm') => engineFailure({ code, name, message }, new Error('cause'));

describe('errors of the engine (contract/endpoints 4.6)', () => {
  test.each([
    [159, 400, 'query_timeout'],
    [241, 400, 'query_memory_limit'],
    [396, 400, 'query_result_too_large'],
    [307, 400, 'query_reads_too_much'],
    [168, 400, 'query_too_large'],
    [202, 503, 'query_capacity'],
    [497, 500, 'error'],
    [216, 500, 'error'], // an id that is used twice is our own
  ])('%i is %i %s', (code, status, name) =>
    expect([failure(code).status, errorBody(failure(code)).code]).toEqual([status, name]),
  );

  // A response without rows would be kept, and shown as the truth.
  test('a token that the row policies do not know is a fault of the set-up', () => {
    const message = `${tenantTokenError}: while executing 'FUNCTION throwIf(…)'`;
    expect(errorBody(failure(395, 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO', message)).code).toBe('error');
  });

  // As ClickHouse 26.7 words them.
  test.each([
    [
      'Query memory limit exceeded: would use 1.00 GiB, maximum: 953.67 MiB. (MEMORY_LIMIT_EXCEEDED)',
      400,
      'query_memory_limit',
    ],
    [
      'User memory limit exceeded: would use 970.25 MiB, maximum: 953.67 MiB. OvercommitTracker decision: Query was selected to stop by OvercommitTracker. (MEMORY_LIMIT_EXCEEDED)',
      400,
      'query_memory_limit',
    ],
    [
      'User memory limit exceeded: would use 1.26 GiB, maximum: 953.67 MiB. OvercommitTracker decision: Memory overcommit has not freed enough memory. (MEMORY_LIMIT_EXCEEDED)',
      503,
      'query_capacity',
    ],
    [
      '(total) memory limit exceeded: would use 1.92 GiB, maximum: 1.86 GiB. (MEMORY_LIMIT_EXCEEDED)',
      503,
      'query_capacity',
    ],
  ])('memory that others took is no fault of the query: %s', (message, status, name) => {
    const error = failure(241, 'MEMORY_LIMIT_EXCEEDED', message);
    expect([error.status, errorBody(error).code]).toEqual([status, name]);
  });

  test('a fault of the query has the name that the engine gives it, and nothing of our SQL', () => {
    const error = failure(
      43,
      'ILLEGAL_TYPE_OF_ARGUMENT',
      'Illegal type String of argument of function plus: In scope SELECT secret FROM analytics.events',
    );
    expect(errorBody(error)).toEqual({
      type: 'validation_error',
      code: 'illegal_type_of_argument',
      attr: null,
      detail: 'The query could not be run: Illegal type String of argument of function plus',
    });
  });

  test('a fault while a table of a build is filled has no name of the table or of its columns', () => {
    const message =
      'Cannot convert NULL value to non-Nullable type, into internal.m_0a1b_2c3d_4: while converting source column `x` to destination column `c0`: while executing';
    expect(failure(349, 'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN', message).message).toBe(
      'The query could not be run: Cannot convert NULL value to non-Nullable type, into the table',
    );
  });

  test('a column that is not grouped by is named as its author knows it', () => {
    const message =
      "Column '__t0.timestamp' is not under aggregate function and not in GROUP BY keys. In query SELECT __t0.timestamp FROM analytics.events AS __t0 GROUP BY toDate(__t0.timestamp).";
    expect(failure(215, 'NOT_AN_AGGREGATE', message).message).toBe(
      "The query could not be run: Column 'timestamp' is not under aggregate function and not in GROUP BY keys; add it to GROUP BY, or put it into an aggregate such as any(…)",
    );
  });

  test('a regular expression that is none is said without the words of the engine', () => {
    const message =
      "OptimizedRegularExpression: cannot compile re2: (pro, error: missing ): (pro. Look at https://github.com/google/re2/wiki/Syntax for reference. Please note that if you specify regex as an SQL string literal, the slashes have to be additionally escaped. For example, to match an opening brace, write '\\(' -- the first slash is for SQL and the second one is for regex";
    expect(failure(427, 'CANNOT_COMPILE_REGEXP', message).message).toBe(
      'A regular expression is not valid: missing ): (pro',
    );
  });

  test('a sentence about the row policy is never shown', () => {
    expect(failure(43, 'X', "Cannot do SHA256('k')").message).toBe('The query could not be run.');
  });
});
