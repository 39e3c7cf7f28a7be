import { expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { checkQuery } from '../../../../queries/compile/check-query.ts';
import { toldProblem } from './told-problem.ts';

// No value of a variable leaves this system, also not in the words of an error (contract/endpoints 6.9).
function told(query: string): { message: string; told: string } {
  const variables = { plan: { code_name: 'plan', value: 'gold-of-acme' } };
  try {
    checkQuery({ kind: 'HogQLQuery', query, variables, values: { own: 'silver-of-acme' } });
  } catch (error) {
    if (error instanceof AppError) return { message: error.message, told: toldProblem(error, query) };
  }
  throw new Error('the query compiles');
}

test.each([
  ['a default', '{variables.plan}', 'gold-of-acme'],
  ['a constant', '{own}', 'silver-of-acme'],
])('a model is told where %s does not fit, and not its value', (_name, placeholder, value) => {
  const call = `JSONExtract(properties, 'a', ${placeholder})`;
  const problem = told(`SELECT ${call} FROM events`);
  expect(problem.message).toContain(value);
  expect(problem.told).toBe(`It does not compile: not_supported at ${JSON.stringify(call)} (line 1, column 8).`);
});

test.each(['SELECT evnt FROM events', 'SELECT cnt() FROM events', 'SELECT FROM'])(
  'it is told in words what the text alone is wrong about: %s',
  (query) => {
    const problem = told(query);
    expect(problem.told).toBe(problem.message);
  },
);
