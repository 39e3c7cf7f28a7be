import { describe, expect, test } from '@jest/globals';
import { parseExpression, queryLengthMax } from '../parse.ts';

describe('an expression that is parsed by itself', () => {
  test.each([
    ["properties.plan = 'pro'", 'CompareOperation'],
    [' event ', 'Field'],
    ['not a and b', 'And'],
    ["arrayExists(x -> x = 'a', elements_chain_texts);", 'Call'],
    ['a -- and that is all', 'Field'],
    ["event in (select 'a')", 'CompareOperation'],
  ])('%s is a %s', (text, node) => expect(parseExpression(text).tree.node).toBe(node));

  test('costs what its text costs', () => expect(parseExpression('a + 1').units).toBeGreaterThan(0));

  test.each([
    ['', /Expected an expression/],
    ['select 1', /found/],
    ['select 1 from events', /found/],
    ['(select 1)', /Expected an expression, found a SELECT/],
    ['a as b', /no alias here/],
    ['a b', /Expected the end/],
    ['a, b', /Expected the end/],
    ['a) or (1', /Expected the end/],
    ['a = 1; select 1', /Only one statement/],
    ["'unclosed", /never closed|not closed|unclosed/i],
    [`${'('.repeat(2_000)}a${')'.repeat(2_000)}`, /deep/],
    [' '.repeat(queryLengthMax + 1), /longer than/],
  ])('%s is none', (text, message) => expect(() => parseExpression(text)).toThrow(message));
});
