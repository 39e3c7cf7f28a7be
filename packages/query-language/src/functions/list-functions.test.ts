import { describe, expect, test } from '@jest/globals';
import { findFunction } from './find-function.ts';
import { spelledAggregates } from './aggregate-spellings.ts';
import { aggregateFunctions, scalarFunctions, specialFunctionNames, windowFunctions } from './function-table.ts';
import { listFunctions } from './list-functions.ts';

// The promise to editors: what is listed can be called, what can be called is listed, and no argument is made up.

const listed = listFunctions();
const named = (name: string) => listed.filter((one) => one.name === name);

describe('the functions of the language', () => {
  test('each is there once for its kind, whatever its case', () => {
    const keys = listed.map(({ name, kind }) => `${kind} ${name.toLowerCase()}`);
    expect(new Set(keys).size).toBe(keys.length);
    const all = [
      ...scalarFunctions.keys(),
      ...specialFunctionNames,
      ...aggregateFunctions.keys(),
      ...spelledAggregates,
      ...windowFunctions.keys(),
    ];
    expect(new Set(listed.map(({ name }) => name.toLowerCase()))).toEqual(
      new Set(all.map((name) => name.toLowerCase())),
    );
  });

  test('each that is no function of windows and no spelling of others is found by its name', () => {
    const called = listed.filter(({ kind, name }) => kind !== 'window' && !spelledAggregates.includes(name));
    for (const { name } of called)
      expect(() => findFunction({ node: 'Call', name, args: [], start: 0, end: 0 })).not.toThrow();
  });

  test.each([
    ['count', [{ kind: 'aggregate', least: 0, most: 1, signature: 'count(any?) -> integer' }]],
    ['sum', [{ kind: 'aggregate', least: 1, most: 1, signature: 'sum(number) -> type of argument 1' }]],
    ['uniq', [{ kind: 'aggregate', least: 1, most: Infinity, signature: 'uniq(any, any...) -> integer' }]],
    [
      'coalesce',
      [{ kind: 'scalar', least: 1, most: Infinity, signature: 'coalesce(same...) -> common type of the arguments' }],
    ],
    ['quantile', [{ kind: 'aggregate', least: 1, most: 1, signature: 'quantile(parameter?)(number) -> float' }]],
    [
      'quantiles',
      [{ kind: 'aggregate', least: 1, most: 1, signature: 'quantiles(parameter...)(number) -> array of float' }],
    ],
    [
      'topKWeighted',
      [
        {
          kind: 'aggregate',
          least: 2,
          most: 2,
          signature: 'topKWeighted(parameter, parameter?)(any, weight) -> array of argument 1',
        },
      ],
    ],
    [
      'age',
      [
        {
          kind: 'scalar',
          least: 3,
          most: 4,
          signature: "age('second|minute|hour|day|week|month|quarter|year', time, time, text?) -> integer",
        },
      ],
    ],
    [
      'lagInFrame',
      [{ kind: 'window', least: 1, most: 3, signature: 'lagInFrame(any, number?, any?) -> type of argument 1' }],
    ],
    ['if', [{ kind: 'scalar', least: null, most: null, signature: 'if(…)' }]],
    ['string_agg', [{ kind: 'aggregate', least: null, most: null, signature: 'string_agg(…)' }]],
    [
      'first_value',
      [
        { kind: 'aggregate', least: 1, most: 1, signature: 'first_value(any) -> type of argument 1' },
        { kind: 'window', least: 1, most: 1, signature: 'first_value(any) -> type of argument 1' },
      ],
    ],
  ])('%s', (name, expected) => expect(named(name)).toEqual(expected.map((one) => ({ name, ...one }))));
});
