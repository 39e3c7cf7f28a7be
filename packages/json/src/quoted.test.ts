import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { quoted } from './quoted.ts';

test('a text is quoted as JSON.stringify quotes it', () => {
  const unit = fc.constantFrom('a', ' ', '~', '"', '\\', '/', '\n', '\x7f', '\x1f', 'é', '👍', '\ud83d', '\u2028');
  fc.assert(fc.property(fc.string({ unit }), (text) => expect(quoted(text)).toBe(JSON.stringify(text))));
});
