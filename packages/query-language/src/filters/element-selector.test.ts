import { describe, expect, test } from '@jest/globals';
import { selectorPattern, tagPattern } from './element-selector.ts';

/** A pattern of RE2 that begins with (?s), as JavaScript has it. */
const found = (pattern: string | undefined, chain: string): boolean =>
  new RegExp(pattern?.replace('(?s)', '') ?? 'none', 's').test(chain);

const link =
  'span:nth-child="1"nth-of-type="1"text="Buy; a:now";a.btn.md:flex.small:attr__class="btn small md:flex"attr__data-x="y \\"z\\""attr__href="/buy?x=1"attr__id="go"attr_id="go"href="/buy?x=1"nth-child="2"nth-of-type="1";div.box:nth-child="12"nth-of-type="1";my-app:attr__x.y:z="1";body';

describe('the pattern of a selector', () => {
  test.each([
    'a',
    '*',
    '.btn',
    '.small.btn',
    String.raw`.md\:flex`,
    '#go',
    'a#go.btn',
    '[href="/buy?x=1"]',
    "[href='/buy?x=1']",
    '[data-x]',
    String.raw`[data-x="y \"z\""]`,
    '[id=go]',
    '[ id = "go" ]',
    '[text="Buy; a:now"]',
    ':nth-child(12)',
    'a:nth-of-type(1):nth-child(2)',
    'div a',
    'body span',
    'div > a',
    'div>a > span',
    'body div.box > a.btn span',
    ' body ',
    'my-app',
    '[x.y:z="1"]',
    '#go[id="go"]',
    '* > *',
    'body a[data-x][href="/buy?x=1"].btn.small',
  ])('%s finds the link', (selector) => expect(found(selectorPattern(selector), link)).toBe(true));

  test.each([
    'b',
    'A',
    '.bt',
    '.btnx',
    '.flex',
    'span.btn',
    'a.box',
    '#g',
    '[href="/buy"]',
    '[href="/buy?x=1.*"]',
    '[data]',
    'a[nope]',
    ':nth-child(1):nth-of-type(2)',
    ':nth-child(2) span.x',
    'a div',
    'span > a',
    'body > a',
    'body a > body',
    'now',
    '.*',
    '[text="a:now"]',
    '#go[id="other"]',
    'div.btn',
    'i|a',
  ])('%s does not', (selector) => expect(found(selectorPattern(selector), link)).toBe(false));

  test.each([
    '',
    ' ',
    'a,b',
    'a + b',
    'a ~ b',
    'a >',
    '> a',
    'a::before',
    'a:hover',
    '[a^="b"]',
    '[a="b]',
    'a..b',
    '#a#b',
    ':nth-child(n)',
    '\\',
  ])('%j is none', (selector) => expect(selectorPattern(selector)).toBeUndefined());

  test('a text with quotes and backslashes is no element', () => {
    const chain = 'i:text="say \\"x\\";b.c:"attr__attr="\\\\x";p:attr__q="\\\\x"';
    expect(['b', '.c', 'q'].filter((selector) => found(selectorPattern(selector), chain))).toEqual([]);
    expect(['i', 'p', 'i[attr]', String.raw`[q="\\\\x"]`].filter((one) => !found(selectorPattern(one), chain))).toEqual(
      [],
    );
  });

  test('has a bounded length', () => {
    expect(selectorPattern('a '.repeat(500))?.length).toBeGreaterThan(10_000);
    expect(selectorPattern('a '.repeat(501))).toBeUndefined();
  });
});

describe('the pattern of a tag', () => {
  test.each(['a', 'span', 'body', 'my-app'])('%s is in the link', (tag) =>
    expect(found(tagPattern(tag), link)).toBe(true),
  );

  test.each(['b', 'bod', 'app', 'btn', 'now', '.*', 'a|b'])('%s is not', (tag) =>
    expect(found(tagPattern(tag), link)).toBe(false),
  );

  test.each(['', 'a;b', 'a.b', 'a b', 'a"', 'a:b'])('%j is the name of none', (tag) =>
    expect(tagPattern(tag)).toBeUndefined(),
  );
});
