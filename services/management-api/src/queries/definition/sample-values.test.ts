import { describe, expect, jest, test } from '@jest/globals';
import { SpanError, queryErrorOf, type QueryError } from '@millrace/query-language/query-error.ts';
import { isAboutGuess, tryValues, type VariableWithSpans } from './sample-values.ts';
import type { VariableValue } from './variables.ts';

/** An untyped variable each, ten characters after each other. */
const text = ' '.repeat(1_000);
const untyped = (names: string): VariableWithSpans[] =>
  [...names].map((name, index) => ({
    name,
    type: 'Any',
    fallback: undefined,
    spans: [{ start: index * 10, end: index * 10 + 5 }],
  }));
const always = () => true;
const errorAt = (start: number, end: number): { error: QueryError } => ({
  error: queryErrorOf(new SpanError('type_mismatch', 'no', { start, end }), text),
});

/** A query that takes these values, and reports the position of the first that does not fit. */
function taking(wanted: readonly VariableValue[]) {
  return jest.fn((values: Readonly<Record<string, VariableValue>>) => {
    const wrong = Object.values(values).findIndex(
      (value, index) => JSON.stringify(value) !== JSON.stringify(wanted[index]),
    );
    return wrong === -1 ? { result: 'good' } : errorAt(wrong * 10, wrong * 10 + 5);
  });
}

describe('values to try a query with', () => {
  test('are found for each variable by itself, in attempts that grow with their number alone', () => {
    const attempt = taking([1, '', [''], 'day', 'day', 'day', 'day', 'day', 'day', 1]);
    expect(tryValues(untyped('abcdefghij'), always, attempt)).toEqual({ result: 'good' });
    expect(attempt.mock.calls.length).toBeLessThanOrEqual(1 + 4 * 10);
  });

  test('are defaults where there are any', () => {
    const variables = untyped('ab').map((variable, index) => ({ ...variable, fallback: ['x', null][index] }));
    const attempt = taking(['x', null]);
    expect(tryValues(variables, always, attempt)).toEqual({ result: 'good' });
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  test('are looked for everywhere when the error is at no placeholder: a name may stand for one', () => {
    const attempt = (values: Readonly<Record<string, VariableValue>>) =>
      values['b'] === 'day' ? { result: 'good' } : errorAt(500, 501);
    expect(tryValues(untyped('abc'), always, attempt)).toEqual({ result: 'good' });
  });

  test('are given up when two spans want different ones of one variable, and after so many attempts', () => {
    const [variable] = untyped('a') as [VariableWithSpans];
    const attempt = jest.fn(({ a }: Readonly<Record<string, VariableValue>>) =>
      a === 1 ? errorAt(20, 25) : errorAt(0, 5),
    );
    expect(
      tryValues(
        [
          {
            ...variable,
            spans: [
              { start: 0, end: 5 },
              { start: 20, end: 25 },
            ],
          },
        ],
        always,
        attempt,
      ),
    ).toMatchObject({ error: { code: 'type_mismatch' } });
    expect(attempt.mock.calls.length).toBeLessThan(20);
    const never = jest.fn(() => errorAt(0, 5));
    tryValues(untyped('abc'), () => never.mock.calls.length < 3, never);
    expect(never).toHaveBeenCalledTimes(3);
  });

  test('that are defaults, or that stand elsewhere, are no guess that an error is about', () => {
    const { error } = errorAt(1, 3);
    expect(isAboutGuess(error, untyped('a'))).toBe(true);
    expect(
      isAboutGuess(
        error,
        untyped('a').map((variable) => ({ ...variable, fallback: 1 })),
      ),
    ).toBe(false);
    expect(isAboutGuess(errorAt(0, 7).error, untyped('a'))).toBe(false);
    expect(isAboutGuess(errorAt(11, 12).error, untyped('a'))).toBe(false);
  });
});
