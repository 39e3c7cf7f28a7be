import { expect, test } from '@jest/globals';
import { createQueryCompiler } from '../../../../queries/compile/query-compiler.ts';
import { createPreparedQueries } from './prepared-queries.ts';

const unasked = () => Promise.reject(new Error('nothing here is large'));

test('a query is prepared once, unless it is too large for the cache', () => {
  const compiler = createQueryCompiler({
    check: unasked,
    print: unasked,
    preview: unasked,
    rewrite: unasked,
    table: unasked,
    read: unasked,
    close: () => Promise.resolve(),
  });
  let prepared = 0;
  const queries = createPreparedQueries({ prepare: (...given) => (prepared++, compiler.prepare(...given)) });
  const version = (id: string, text: string) => ({
    id,
    query: { kind: 'HogQLQuery', query: 'SELECT {text}', variables: null, values: { text } },
    propertyTypes: {},
  });
  const times = (id: string, text: string): number => {
    prepared = 0;
    for (let time = 0; time < 2; time++) queries.of(version(id, text), 'acme');
    return prepared;
  };
  expect(times('small', 'x')).toBe(1);
  expect(times('large', 'x'.repeat(1_000_000))).toBe(2);
  expect(times('small', 'x')).toBe(0);
});
