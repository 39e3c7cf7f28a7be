import { expect, test } from '@jest/globals';
import { compileQuery } from '../compile.ts';

// The engine has no NULL of a list: it refused a search in one.
test.each([
  ['a variable that is null', '{variables.list}'],
  ['NULL', 'NULL'],
])('the list of a text that is missing is that of the empty one: %s', (_name, text) => {
  const { sql } = compileQuery({
    text: `SELECT count() FROM events WHERE event IN splitByChar(',', ${text})`,
    variables: { list: null },
    rowsMax: 10,
  });
  expect(sql).toContain("has(splitByChar({p0:String}, ''), ");
});
