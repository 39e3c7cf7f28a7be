import { expect, test } from '@jest/globals';
import { compileQuery } from '../../compile.ts';

// The name that a reader of the result sees for a column without a name.
test.each([
  ['count()', 'count()'],
  ['(count())', 'count()'],
  ['(event as e) || 1', '(event as e) || 1'],
  ['( ( length(event) + 1 )  *   2)\n* (length(event) - 1)', '( ( length(event) + 1 ) * 2) * (length(event) - 1)'],
  ["event || '(' || (event || ')')", "event || '(' || (event || ')')"],
  ['((length(event) + 1) * 2)', '(length(event) + 1) * 2'],
  ['properties.a.b', 'b'],
  ["properties['c d']", 'c d'],
])('the column of %s is called %s', (expression, name) => {
  expect(compileQuery({ text: `select ${expression} from events`, rowsMax: 1 }).columns).toMatchObject([{ name }]);
});
