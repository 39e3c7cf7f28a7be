import { describe, expect, test } from '@jest/globals';
import { weighPattern } from './pattern-weight.ts';

describe('patterns whose matches are all found in a few readings of the text', () => {
  test.each([
    'a',
    '[0-9]+',
    'utm_(\\w+)=([^&]*)',
    'a.*b',
    '^/users/[^/]+/?$',
    '(?:jpg|png)$',
    '(foo.*)bar',
    'a+?b',
    '(?i)error: .*',
    '[]a]+',
    'x{2,5}',
    '(ab){3}',
    // Something without an end at the end of a choice or a group: what is read is the match.
    String.raw`(utm_\w+|gclid|fbclid)=[^&]*`,
    'utm_[^&]*|gclid=[^&]*',
    '(a|aa)+',
    '(?:[?#].*)?',
    '(/[0-9]+)+',
    '(foo|bar)*',
    'a[^&]*b?|c',
    '(a.*)?(b.*)?',
    '[a-z]*|[0-9]*',
    '(ab)*c?',
    '(a.*)?b',
    '(a.*|b)c',
    '(a.*b?|b)c',
  ])('%s', (pattern) => {
    expect(weighPattern(pattern).even).toBe(true);
  });
});

describe('patterns that can be looked for through all of the rest, at every place', () => {
  test.each([
    'a.*b|a',
    '(a.*b)?a',
    'a(.*b)?',
    '(a+)+b',
    String.raw`(\w+,)*`,
    '(a.*){2,}',
    '(a.*$|a)',
    '((a.*b)?|c)',
    '([ab]{2})*?b',
    '((ab)*c)+',
    '(a(b.*c)?)*',
    '(a*b)+',
    '(?:a[0-9]*b|a)',
    '(ab)*c',
    '(ab[^a]*)*b',
    '(.*b){0,1}',
    String.raw`\Q[\E|a.*b|a|]`,
    String.raw`\Q)\E|a.*b|a`,
    String.raw`\Q(\E(a.*b)?]`,
  ])('%s', (pattern) => {
    expect(weighPattern(pattern).even).toBe(false);
  });
});

test('what is repeated counts as often', () => {
  expect(weighPattern('a{1000}').steps).toBeGreaterThanOrEqual(1_000);
  expect(weighPattern('((a{100}){100}){100}').steps).toBeGreaterThan(1_000_000);
  expect(weighPattern('(a?b?){500}').steps).toBeGreaterThan(1_000);
  expect(weighPattern('^/users/[0-9]+$').steps).toBeLessThan(20);
});

test('quoted brackets hide nothing', () => {
  expect(weighPattern(String.raw`\Q[\E(a{100}){100}]`).steps).toBeGreaterThan(10_000);
  expect(weighPattern(String.raw`\Q[a|b].*\E`)).toMatchObject({ even: true });
  expect(weighPattern(String.raw`\Q${'a'.repeat(2_000)}`).steps).toBeGreaterThan(1_000);
});

test('what is no pattern is weighed all the same', () => {
  for (const pattern of ['', '(', ')', '[', '\\', '*', '{', ')))', '('.repeat(10_000), '(a'.repeat(50)])
    expect(weighPattern(pattern).steps).toBeGreaterThanOrEqual(0);
});
