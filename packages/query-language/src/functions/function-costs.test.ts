import { expect, test } from '@jest/globals';
import { functionCosts } from './function-cost.ts';
import { functionCases } from '../testing/function-cases.ts';
import { steepCalls } from '../work/steep.ts';

test('every allowed function was measured: after a new one, run node scripts/measure-functions.ts', () => {
  expect(
    functionCases()
      .map(({ kind, name }) => `${kind} ${name}`)
      .filter((name) => !functionCosts.has(name)),
  ).toEqual([]);
});

test('a function that costs more than its arguments are long has a rule that bounds it', () => {
  const steep = [...functionCosts.values()].filter(({ growth }) => growth === 'steep');
  expect(steep.length).toBeGreaterThan(15);
  expect(steep.filter(({ name, kind }) => kind !== 'scalar' || !Object.hasOwn(steepCalls, name))).toEqual([]);
});
