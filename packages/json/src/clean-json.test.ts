import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanJson, cleanText } from './clean-json.ts';

test('after cleaning a text holds neither NUL nor half a pair, and is untouched otherwise (contract/decisions 24)', () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', 'é', '👍', '\ud83d', '\udc4d', '\0', '…', '漢') });
  fc.assert(
    fc.property(anyText, (text) => {
      const clean = cleanText(text);
      expect(clean.isWellFormed() && !clean.includes('\0')).toBe(true);
      expect(clean).toBe([...text].map((point) => (/[\0\ud800-\udfff]/u.test(point) ? '\ufffd' : point)).join(''));
    }),
  );
});

test('keys are cleaned too, and none reaches a prototype', () => {
  const value = cleanJson(JSON.parse('{"__proto__":{"a\\u0000":["\\ud83d",1,null]},"x":true}'));
  expect(JSON.stringify(value)).toBe('{"__proto__":{"a\ufffd":["\ufffd",1,null]},"x":true}');
});
