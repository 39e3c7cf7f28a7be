import { expect, test } from '@jest/globals';
import { parseQuery } from './parse-query.ts';

test.each([
  ['/', []],
  ['/?', []],
  [
    '/?a=1&b=2&a=3',
    [
      ['a', '3'],
      ['b', '2'],
    ],
  ],
  [
    '/?a=%00x&%00=y',
    [
      ['a', '\ufffdx'],
      ['\ufffd', 'y'],
    ],
  ],
  [
    '/?__proto__=x&constructor=y',
    [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ],
  ],
  ['/?a?b=c', [['a?b', 'c']]],
])('%s', (url, entries) => expect(Object.entries(parseQuery(url))).toEqual(entries));
