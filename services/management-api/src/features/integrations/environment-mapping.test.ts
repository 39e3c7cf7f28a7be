import { expect, test } from '@jest/globals';
import { readMapping, tokensFor, unknownEnvironment } from './environment-mapping.ts';

const tokens = new Map([1, 2, 3].map((id) => [id, `phc_${id}`]));

test('an environment that is not named is where production is', () => {
  expect(readMapping({ production: 1 })).toEqual({ production: 1, preview: 1, development: 1 });
  expect(readMapping({ production: 1, preview: null, development: 2 })).toEqual({
    production: 1,
    preview: 1,
    development: 2,
  });
});

test('the provider gets the token of production, and others only where they differ', () => {
  const production = { projectId: 1, token: 'phc_1' };
  expect(tokensFor({ production: 1, preview: 1, development: 1 }, tokens)).toEqual({ production });
  expect(tokensFor({ production: 1, preview: 1, development: 3 }, tokens)).toEqual({
    production,
    development: { projectId: 3, token: 'phc_3' },
  });
  expect(tokensFor({ production: 1, preview: 2, development: 2 }, tokens)).toEqual({
    production,
    preview: { projectId: 2, token: 'phc_2' },
    development: { projectId: 2, token: 'phc_2' },
  });
  expect(() => tokensFor({ production: 9, preview: 9, development: 9 }, tokens)).toThrow('project 9 has no token');
});

test('the first environment of an unknown project is named', () => {
  const known = new Set([1, 2]);
  expect(unknownEnvironment({ production: 1, preview: 2, development: 1 }, known)).toBeUndefined();
  expect(unknownEnvironment({ production: 1, preview: 3, development: 4 }, known)).toBe('preview');
});
