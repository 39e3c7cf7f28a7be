import { expect, test } from '@jest/globals';
import { rawFrame, webFrame } from '../testing/raw-frames.ts';
import { referenceOf } from './symbol-reference.ts';

const url = 'https://shop.example/assets/bundle.js';

test.each([
  ['its URL', webFrame(), { url }],
  ['chunk id and URL', webFrame({ chunk_id: 'a' }), { chunkId: 'a', url }],
  ['its chunk id alone', webFrame({ chunk_id: 'a', filename: 'bundle.js' }), { chunkId: 'a' }],
  ['the URL without line and column', webFrame({ filename: `${url}:1:1045` }), { url }],
  ['the URL without line', webFrame({ filename: `${url}:1` }), { url }],
  ['its URL, though it calls itself resolved', webFrame({ client_resolved: true }), { url }],
  [
    'the chunk id of Node',
    webFrame({ platform: 'node:javascript', filename: '/app/a.js', chunk_id: 'a' }),
    { chunkId: 'a' },
  ],
])('symbols are looked for by %s', (_name, frame, reference) => {
  expect(referenceOf(frame)).toEqual({ chunkId: undefined, url: undefined, ...reference });
});

test.each([
  ['no line', webFrame({ lineno: undefined })],
  ['no column', webFrame({ colno: undefined })],
  ['Node without a chunk id', webFrame({ platform: 'node:javascript' })],
  ['Python', rawFrame({ platform: 'python', filename: 'a.py', lineno: 1, colno: 1, chunk_id: 'a' })],
])('a frame needs no symbols: %s', (_name, frame) => {
  expect(referenceOf(frame)).toBe(null);
});

test.each([
  [undefined, 'no source url or chunk id'],
  ['bundle.js', 'source url invalid: bundle.js'],
  ['file:///etc/passwd', 'source url invalid: file:///etc/passwd'],
  ['<anonymous>', 'source url invalid: <anonymous>'],
])('file %s names no symbols: %s', (filename, text) => {
  expect(referenceOf(webFrame({ filename }))).toEqual({ text });
});

test.each(['x', 'ß', '€', '😀'])(
  'a reference of many %s is cut to what the table holds, and no character is',
  (character) => {
    const long = referenceOf(
      webFrame({ chunk_id: character.repeat(3_000), filename: `${url}?${character.repeat(3_000)}` }),
    );
    const texts = Object.values(long ?? {}) as string[];
    expect(texts).toHaveLength(2);
    for (const text of texts) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048);
      expect(text).toMatch(/[^\ufffd]…$/u);
    }
  },
);
