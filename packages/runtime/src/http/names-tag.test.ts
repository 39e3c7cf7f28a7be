import { describe, expect, test } from '@jest/globals';
import { namesTag } from './names-tag.ts';

describe('If-None-Match (RFC 9110 13.1.2)', () => {
  test.each([
    ['W/"abc"', true],
    ['"abc"', true],
    ['"x", W/"abc"', true],
    ['*', true],
    ['W/"abcd"', false],
    ['', false],
    [undefined, false],
  ])('%s: %s', (given, expected) => expect(namesTag(given, 'W/"abc"')).toBe(expected));

  test('knows nothing of a reply without a tag', () => expect(namesTag('*', undefined)).toBe(false));
});
