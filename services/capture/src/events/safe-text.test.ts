import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bounded, codePointCount, firstCodePoints, isLongerThan } from './safe-text.ts';

const anyText = fc.string({ unit: fc.constantFrom('a', 'é', '👍', '\ud83d', '\udc4d', '\0', '…', '漢') });

describe('text that came from outside', () => {
  test('lengths are code points, and cutting never splits a pair (contract/capture 0.8)', () => {
    fc.assert(
      fc.property(anyText, fc.nat(30), (text, max) => {
        expect(codePointCount(text)).toBe([...text].length);
        expect(firstCodePoints(text, max)).toBe([...text].slice(0, max).join(''));
        expect(isLongerThan(text, max)).toBe([...text].length > max);
      }),
    );
  });

  test('details of warnings are at most 200 bytes, cut between characters (contract/capture 4.7)', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '👍'), maxLength: 300 }), (text) => {
        const cut = bounded(text);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(200);
        if (cut !== text) expect(text.startsWith(cut.slice(0, -1)) && cut.endsWith('…')).toBe(true);
      }),
    );
  });
});
