import { describe, expect, test } from '@jest/globals';
import { parseExpression } from '../parse.ts';
import { refusalIn, type RefusedNodes } from './refused-nodes.ts';

const refusal = (text: string, refused: RefusedNodes = {}) => refusalIn(parseExpression(text).tree, refused);

describe('an expression that becomes a part of a statement', () => {
  test.each([
    ["(event as e) = 'a'", 'an alias is not allowed; write the expression alone'],
    ['sum(n) over () > 1', 'a window function is not allowed'],
    ['event = {variables.x}', 'it has no variables, such as {variables.x}; write the value'],
    ['{1 + 1}', 'it has no variables; write the value'],
    ['event', undefined],
    ['event in (select event as e from events)', undefined],
  ])('%s: %s', (text, words) => expect(refusal(text)).toBe(words));

  test('may be refused other nodes, or some of a kind', () => {
    const refused: RefusedNodes = {
      SelectQuery: 'a sub-query is not allowed',
      Field: ({ chain: [name] }) => (name === 'own' ? 'own is not allowed' : undefined),
    };
    expect(
      ['event in (select 1)', 'own = 1', 'other = 1', 'not (other as e)'].map((text) => refusal(text, refused)),
    ).toEqual(['a sub-query is not allowed', 'own is not allowed', undefined, expect.stringContaining('an alias')]);
  });
});
