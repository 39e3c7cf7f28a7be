import { expect, test } from '@jest/globals';
import { clientQueryIdPattern } from './client-query-id.ts';

const pattern = new RegExp(clientQueryIdPattern);

test.each(['', 'report 7', 'Übersicht – März', 'تقرير'])('a name of a run may be %j', (name) =>
  expect(name).toMatch(pattern),
);

test.each(['a\nb', 'a\u0000', 'a\u0085b', 'a\u061cb', 'a\u200eb', 'a\u2028b', 'a\u202eb', 'a\u2066b'])(
  'and holds no sign that ends a line or turns a text: %j',
  (name) => expect(name).not.toMatch(pattern),
);
