import { describe, expect, test } from '@jest/globals';
import { formatLetterId, parseLetterId } from './letter-id.ts';
import { maskSecrets } from './mask-secrets.ts';

describe('the id of a dead letter is its position', () => {
  test.each([
    ['capture:3:12', { partition: 3, writer: 'capture', offset: 12n, index: 0 }],
    ['3:12.4', { partition: 3, writer: '', offset: 12n, index: 4 }],
    ['1:2:3', { partition: 2, writer: '1', offset: 3n, index: 0 }],
  ])('%s', (id, position) => {
    expect(formatLetterId(position)).toBe(id);
    expect(parseLetterId(id)).toEqual(position);
  });

  test.each(['', '3', 'a:b:c', '3:-1', '3:1.', '../x:1:2', '1:2:3:4'])('"%s" names none', (id) =>
    expect(parseLetterId(id)).toBeNull(),
  );
});

test('secrets are masked: keys by their form, known tokens whatever they look like', () => {
  expect(
    maskSecrets('{"a":"phc_0123456789abcdef","b":"my-old-token-1234","c":"phone_number"}', ['my-old-token-1234']),
  ).toBe('{"a":"phc_...cdef","b":"my-o...1234","c":"phone_number"}');
  expect(maskSecrets('short short', ['short'])).toBe('... ...');
});
