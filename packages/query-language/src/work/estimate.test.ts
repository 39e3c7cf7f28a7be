import { expect, test } from '@jest/globals';
import { anyOf, listOf, small, textOf, tupleOf } from './estimate.ts';

test('the leaves of a value are the characters of its texts and the items of its lists, however it is nested', () => {
  const text = textOf(100, true);
  expect(small(true).leaves).toBe(1);
  expect(text.leaves).toBe(100);
  expect(listOf(3, listOf(5, text)).leaves).toBe(1_500);
  expect(tupleOf([text, listOf(4, small(true)), tupleOf([text, small(true)])]).leaves).toBe(205);
  expect(listOf(2, tupleOf([text, small(true)])).leaves).toBe(202);
});

test('a value that can be any of several has the leaves of the largest', () => {
  expect(anyOf([textOf(3, true), textOf(100, true)]).leaves).toBe(100);
  expect(anyOf([listOf(2, small(true)), listOf(7, textOf(10, true))]).leaves).toBe(70);
  expect(anyOf([small(true), small(true)]).leaves).toBe(1);
});
