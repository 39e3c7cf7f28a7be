import { expect, test } from '@jest/globals';
import { readFunctionName, readName } from './read-name.ts';

test.each([
  ['submitOrder(order) {', 'submitOrder'],
  ['#secret() {', '#secret'],
  ['größe = 1', 'größe'],
  ['async send(order) {', 'send'],
  ['static async *all() {', 'all'],
  ['get total() {', 'total'],
  ['function* entries() {', 'entries'],
  ['get() {', 'get'],
  ['async = true', 'async'],
  ["'add item': () => 1", 'add item'],
  ['"total": 1', 'total'],
  ['*[Symbol.iterator]() {', undefined],
  ['[Symbol.iterator]() {', '[Symbol.iterator]'],
  ['async '.repeat(1_000_000), undefined],
  ['(order) => 1', undefined],
  ['', undefined],
])('the name declared at %j is %j', (text, name) => {
  expect(readName(`x ${text}`, 2)).toBe(name);
});

test.each([
  ['function priceOf(item) {', 'priceOf'],
  ['async function load() {', 'load'],
  ['function () {', undefined],
  ['async () => 1', undefined],
  ['(item) => 1', undefined],
  ['item => 1', undefined],
  ['async item => 1', undefined],
])('a function without a name that begins as %j is %j', (text, name) => {
  expect(readFunctionName(text, 0)).toBe(name);
});
