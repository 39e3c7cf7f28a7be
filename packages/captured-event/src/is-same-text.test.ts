import { expect, test } from '@jest/globals';
import { isSameText } from './is-same-text.ts';

test.each([
  ['plan', 'plan', true],
  ['', '', true],
  ['plan', 'plam', false],
  ['plan', 'plans', false],
  ['plans', 'plan', false],
  // Not looked at closer: another text in memory is all that it costs.
  ['Zürich', 'Zürich', false],
  ['\u00c3\u00bc', 'ü', false],
  ['\u00fc', '\u00fc', false],
])(
  'a text that was read before is only taken for what it is, or an event would have the id of another: %j in the place of %j',
  (text, written, same) => {
    const bytes = Buffer.from(`x${written}y`);
    expect(isSameText(text, bytes, 1, bytes.length - 1)).toBe(same);
  },
);
