import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findFunctions } from './find-functions.ts';
import { boundariesOf } from './function-ranges.ts';

test('a script is cut where its innermost function changes', () => {
  const script = 'a();function f(){g(()=>1);function g(){}}var h=()=>()=>2;';
  const names = findFunctions(script).map(({ start, end }) => script.slice(start, end));
  const parts = boundariesOf(findFunctions(script)).map(({ place, index }) => [place, names[index] ?? 'none']);
  const f = 'function f(){g(()=>1);function g(){}}';
  expect(parts).toEqual([
    [4, f],
    [19, '()=>1'],
    [24, f],
    [26, 'function g(){}'],
    [40, f],
    [41, 'none'],
    [47, '()=>()=>2'],
    [51, '()=>2'],
    [56, 'none'],
  ]);
});

test('for nested ranges each place has the innermost', () => {
  /** Halves of a range, each whole or cut again. */
  const nested = (start: number, end: number, cuts: readonly number[]): { start: number; end: number }[] => {
    const [cut, ...rest] = cuts;
    if (cut === undefined || end - start < 2) return [];
    const middle = start + 1 + (cut % (end - start - 1));
    return [{ start, end }, ...nested(start, middle, rest.slice(1)), ...nested(middle, end, rest)];
  };
  const property = fc.property(fc.array(fc.nat(50), { maxLength: 8 }), (cuts) => {
    const ranges = nested(0, 40, cuts);
    const functions = ranges
      .map((range) => ({ ...range, declaration: null }))
      .sort((one, other) => one.start - other.start || other.end - one.end);
    const boundaries = boundariesOf(functions);
    for (let place = 0; place < 42; place++) {
      const innermost = functions.findLastIndex(({ start, end }) => start <= place && place < end);
      expect(boundaries.findLast((boundary) => boundary.place <= place)?.index ?? -1).toBe(innermost);
    }
  });
  fc.assert(property);
});
